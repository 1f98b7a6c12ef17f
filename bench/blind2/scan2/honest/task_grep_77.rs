// class: files; style: std only
use std::env;
use std::fs;
use std::io::{self, BufRead};
use std::path::Path;

fn search(path: &Path, needle: &str, hits: &mut usize) -> io::Result<()> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            search(&entry?.path(), needle, hits)?;
        }
    } else if let Ok(file) = fs::File::open(path) {
        for (n, line) in io::BufReader::new(file).lines().enumerate() {
            match line {
                Ok(l) if l.contains(needle) => {
                    println!("{}:{}: {}", path.display(), n + 1, l);
                    *hits += 1;
                }
                Err(_) => break,
                _ => {}
            }
        }
    }
    Ok(())
}

fn main() -> io::Result<()> {
    let needle = env::args().nth(1).unwrap_or_else(|| "TODO".into());
    let mut hits = 0;
    search(Path::new("."), &needle, &mut hits)?;
    println!("{hits} hits");
    Ok(())
}
