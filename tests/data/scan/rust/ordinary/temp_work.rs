use std::fs::File;
use std::io::{Read, Write};
use tempfile::tempdir;

fn main() -> std::io::Result<()> {
    let dir = tempdir()?;
    let path = dir.path().join("a.txt");
    File::create(&path)?.write_all(b"hello")?;
    let mut s = String::new();
    File::open(&path)?.read_to_string(&mut s)?;
    std::fs::remove_file(&path)?;
    println!("{}", s);
    dir.close()
}
