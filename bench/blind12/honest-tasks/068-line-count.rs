use std::collections::HashMap;
use std::fs;
use std::path::Path;

fn visit(dir: &Path, acc: &mut HashMap<String, usize>) -> std::io::Result<()> {
    for e in fs::read_dir(dir)? {
        let p = e?.path();
        if p.is_dir() {
            visit(&p, acc)?;
        } else if let Some(ext) = p.extension().and_then(|x| x.to_str()) {
            if let Ok(t) = fs::read_to_string(&p) {
                *acc.entry(ext.to_string()).or_insert(0) += t.lines().count();
            }
        }
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let mut acc = HashMap::new();
    visit(Path::new("src"), &mut acc)?;
    println!("{acc:#?}");
    Ok(())
}
