// counts lines of code per file type
use std::collections::BTreeMap;
use std::{env, fs, path::Path};

fn visit(p: &Path, acc: &mut BTreeMap<String, usize>) -> std::io::Result<()> {
    for e in fs::read_dir(p)? {
        let path = e?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_string();
        if path.is_dir() {
            if !["target", ".git", "node_modules"].contains(&name.as_str()) {
                visit(&path, acc)?;
            }
        } else if let Some(ext) = path.extension() {
            let n = fs::read_to_string(&path).map(|t| t.lines().count()).unwrap_or(0);
            *acc.entry(ext.to_string_lossy().into()).or_default() += n;
        }
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let mut acc = BTreeMap::new();
    visit(Path::new(&env::args().nth(1).unwrap_or(".".into())), &mut acc)?;
    for (k, v) in acc {
        println!("{k:8} {v}");
    }
    Ok(())
}
