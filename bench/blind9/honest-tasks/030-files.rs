use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use walkdir::WalkDir;

fn digest(p: &PathBuf) -> io::Result<String> {
    let mut h = Sha256::new();
    io::copy(&mut File::open(p)?, &mut h)?;
    Ok(format!("{:x}", h.finalize()))
}

fn main() {
    let root = std::env::args().nth(1).expect("usage: files DIR");
    let mut by_size: HashMap<u64, Vec<PathBuf>> = HashMap::new();
    for e in WalkDir::new(&root).into_iter().flatten().filter(|e| e.file_type().is_file()) {
        if let Ok(m) = fs::metadata(e.path()) {
            by_size.entry(m.len()).or_default().push(e.into_path());
        }
    }
    let mut waste = 0;
    for (size, files) in by_size.into_iter().filter(|(s, v)| *s > 0 && v.len() > 1) {
        let mut by_hash: HashMap<String, Vec<PathBuf>> = HashMap::new();
        for f in files {
            if let Ok(d) = digest(&f) {
                by_hash.entry(d).or_default().push(f);
            }
        }
        for same in by_hash.values().filter(|v| v.len() > 1) {
            waste += size * (same.len() as u64 - 1);
            println!("{size} bytes:");
            same.iter().for_each(|p| println!("  {}", p.display()));
        }
    }
    println!("{:.1} MB could be freed", waste as f64 / 1e6);
}
