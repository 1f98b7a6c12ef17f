use std::{env, fs, path::Path, thread};

fn size(p: &Path) -> u64 {
    let Ok(rd) = fs::read_dir(p) else { return 0 };
    rd.flatten()
        .map(|e| match e.file_type() {
            Ok(t) if t.is_dir() => size(&e.path()),
            Ok(t) if t.is_file() => e.metadata().map(|m| m.len()).unwrap_or(0),
            _ => 0,
        })
        .sum()
}

fn main() {
    let root = env::args().nth(1).unwrap_or_else(|| ".".into());
    let mut hs = vec![];
    for e in fs::read_dir(&root).expect("read directory").flatten() {
        if e.path().is_dir() {
            hs.push(thread::spawn(move || (size(&e.path()), e.path())));
        }
    }
    let mut v: Vec<_> = hs.into_iter().map(|h| h.join().unwrap()).collect();
    v.sort_by(|a, b| b.0.cmp(&a.0));
    for (n, p) in v.iter().take(20) {
        println!("{:>10.1} MiB  {}", *n as f64 / 1048576.0, p.display());
    }
}
