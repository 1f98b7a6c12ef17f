use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

fn walk(dir: &Path, out: &mut HashMap<u64, Vec<PathBuf>>) -> std::io::Result<()> {
    for e in fs::read_dir(dir)? {
        let e = e?;
        let m = e.metadata()?;
        if m.is_dir() {
            walk(&e.path(), out)?;
        } else if m.len() > 0 {
            out.entry(m.len()).or_default().push(e.path());
        }
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let root = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    let mut sizes = HashMap::new();
    walk(Path::new(&root), &mut sizes)?;
    for (len, files) in sizes.into_iter().filter(|(_, f)| f.len() > 1) {
        let mut seen: HashMap<Vec<u8>, PathBuf> = HashMap::new();
        for f in files {
            let data = fs::read(&f)?;
            if let Some(first) = seen.get(&data) {
                println!("{} = {} ({} bytes)", f.display(), first.display(), len);
            } else {
                seen.insert(data, f);
            }
        }
    }
    Ok(())
}
