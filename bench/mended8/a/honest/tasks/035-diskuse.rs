use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

fn size(p: &Path) -> u64 {
    let Ok(meta) = fs::symlink_metadata(p) else { return 0 };
    if !meta.is_dir() {
        return meta.len();
    }
    fs::read_dir(p).map(|it| it.flatten().map(|e| size(&e.path())).sum()).unwrap_or(0)
}

fn human(n: u64) -> String {
    let mut v = n as f64;
    for u in ["B", "K", "M", "G"] {
        if v < 1024.0 {
            return format!("{v:.1}{u}");
        }
        v /= 1024.0;
    }
    format!("{v:.1}T")
}

fn main() -> std::io::Result<()> {
    let root = std::env::args().nth(1).unwrap_or_else(|| ".".into());
    let (tx, rx) = mpsc::channel::<(u64, PathBuf)>();
    for e in fs::read_dir(root)?.flatten() {
        let tx = tx.clone();
        thread::spawn(move || tx.send((size(&e.path()), e.path())));
    }
    drop(tx);
    let mut all: Vec<_> = rx.iter().collect();
    all.sort_by(|a, b| b.cmp(a));
    for (n, p) in all.iter().take(20) {
        println!("{:>10}  {}", human(*n), p.display());
    }
    Ok(())
}
