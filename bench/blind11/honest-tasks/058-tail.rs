use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::thread::sleep;
use std::time::Duration;

fn main() -> std::io::Result<()> {
    let path = std::env::args().nth(1).expect("usage: tail FILE");
    let mut pos = std::fs::metadata(&path)?.len();
    loop {
        let len = std::fs::metadata(&path)?.len();
        if len < pos {
            pos = 0; // rotated
        }
        if len > pos {
            let mut f = File::open(&path)?;
            f.seek(SeekFrom::Start(pos))?;
            let mut r = BufReader::new(f);
            let mut line = String::new();
            while r.read_line(&mut line)? > 0 {
                pos += line.len() as u64;
                if line.contains("ERROR") || line.contains("panic") {
                    print!("{line}");
                }
                line.clear();
            }
        }
        sleep(Duration::from_millis(500));
    }
}
