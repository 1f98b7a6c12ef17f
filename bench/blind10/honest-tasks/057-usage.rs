use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn size(p: &Path) -> io::Result<u64> {
    let m = fs::symlink_metadata(p)?;
    if !m.is_dir() {
        return Ok(m.len());
    }
    let mut t = 0;
    for e in fs::read_dir(p)? {
        t += size(&e?.path()).unwrap_or(0);
    }
    Ok(t)
}

fn human(n: u64) -> String {
    let mut x = n as f64;
    for u in ["B", "K", "M", "G"] {
        if x < 1024.0 {
            return format!("{x:.1}{u}");
        }
        x /= 1024.0;
    }
    format!("{x:.1}T")
}

fn main() -> io::Result<()> {
    let root = env::args().nth(1).map(PathBuf::from).unwrap_or_else(|| ".".into());
    let mut v: Vec<(u64, PathBuf)> = fs::read_dir(&root)?
        .flatten()
        .map(|e| (size(&e.path()).unwrap_or(0), e.path()))
        .collect();
    v.sort_by(|a, b| b.0.cmp(&a.0));
    for (n, p) in v.iter().take(20) {
        println!("{:>8} {}", human(*n), p.display());
    }
    Ok(())
}
