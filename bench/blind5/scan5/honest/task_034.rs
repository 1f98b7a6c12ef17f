use std::fs;
use std::io::{BufRead, BufReader};
fn main() -> std::io::Result<()> {
    let mut lines = 0;
    for e in fs::read_dir("src")? {
        let p = e?.path();
        if p.extension().map_or(false, |x| x == "rs") {
            lines += BufReader::new(fs::File::open(p)?).lines().count();
        }
    }
    println!("{lines}");
    Ok(())
}
