// class: files; style: recursion
use std::env;
use std::fs;
use std::path::Path;

fn size(p: &Path) -> u64 {
    match fs::symlink_metadata(p) {
        Ok(m) if m.is_dir() => fs::read_dir(p).map(|d| d.flatten().map(|e| size(&e.path())).sum()).unwrap_or(0),
        Ok(m) => m.len(),
        Err(_) => 0,
    }
}

fn main() {
    let dir = env::args().nth(1).unwrap_or_else(|| ".".into());
    println!("{}", size(Path::new(&dir)));
}
