use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs, io};

fn walk(p: &Path, m: &mut BTreeMap<String, (usize, usize)>) -> io::Result<()> {
    for e in fs::read_dir(p)? {
        let path = e?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !name.starts_with('.') && name != "target" {
                walk(&path, m)?;
            }
        } else if let Some(ext) = path.extension() {
            if let Ok(t) = fs::read_to_string(&path) {
                let e = m.entry(ext.to_string_lossy().into_owned()).or_default();
                e.0 += 1;
                e.1 += t.lines().count();
            }
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let mut m = BTreeMap::new();
    walk(Path::new(&env::args().nth(1).unwrap_or_else(|| ".".into())), &mut m)?;
    for (k, (f, l)) in m {
        println!("{k:10} {f:6} files {l:8} lines");
    }
    Ok(())
}
