use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::{env, thread, time::Duration};

fn main() -> std::io::Result<()> {
    let mut args = env::args().skip(1);
    let (path, needle) = match (args.next(), args.next()) {
        (Some(p), Some(n)) => (p, n),
        _ => {
            eprintln!("usage: tailgrep FILE TEXT");
            std::process::exit(2);
        }
    };
    let mut file = File::open(&path)?;
    let mut pos = file.seek(SeekFrom::End(0))?;
    let mut count = 0u64;
    loop {
        let len = std::fs::metadata(&path)?.len();
        if len < pos {
            file = File::open(&path)?;
            pos = 0;
        }
        file.seek(SeekFrom::Start(pos))?;
        let mut reader = BufReader::new(&file);
        let mut line = String::new();
        while reader.read_line(&mut line)? > 0 {
            pos += line.len() as u64;
            if line.contains(&needle) {
                count += 1;
                print!("{count:5} {line}");
            }
            line.clear();
        }
        thread::sleep(Duration::from_millis(500));
    }
}
