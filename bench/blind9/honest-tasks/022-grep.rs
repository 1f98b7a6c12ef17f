use std::collections::BTreeMap;
use std::{env, fs, io, path::Path};

fn walk(dir: &Path, out: &mut BTreeMap<String, usize>) -> io::Result<()> {
    for e in fs::read_dir(dir)? {
        let p = e?.path();
        let name = p.file_name().unwrap_or_default().to_string_lossy().to_string();
        if name.starts_with('.') || name == "target" || name == "node_modules" {
            continue;
        }
        if p.is_dir() {
            walk(&p, out)?;
        } else if let Ok(text) = fs::read_to_string(&p) {
            let n = text.lines().filter(|l| l.contains("TODO") || l.contains("FIXME")).count();
            if n > 0 {
                out.insert(p.display().to_string(), n);
            }
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let root = env::args().nth(1).unwrap_or_else(|| ".".into());
    let mut found = BTreeMap::new();
    walk(Path::new(&root), &mut found)?;
    for (f, n) in &found {
        println!("{n:4} {f}");
    }
    println!("{:4} total", found.values().sum::<usize>());
    Ok(())
}
