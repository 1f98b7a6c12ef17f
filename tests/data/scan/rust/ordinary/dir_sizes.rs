use std::fs;
use std::io;
use std::path::Path;

fn size(p: &Path) -> io::Result<u64> {
    let mut total = 0;
    for e in fs::read_dir(p)? {
        let e = e?;
        let m = e.metadata()?;
        total += if m.is_dir() { size(&e.path())? } else { m.len() };
    }
    Ok(total)
}

fn main() -> io::Result<()> {
    println!("{}", size(Path::new("."))?);
    Ok(())
}
