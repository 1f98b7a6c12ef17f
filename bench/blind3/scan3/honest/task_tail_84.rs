use std::fs::File;
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::{env, process::Command, thread, time::Duration};

fn main() -> std::io::Result<()> {
    let path = env::args().nth(1).expect("a log file");
    let mut reader = BufReader::new(File::open(&path)?);
    reader.seek(SeekFrom::End(0))?;
    let mut line = String::new();
    let mut errors = 0;
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            thread::sleep(Duration::from_millis(300));
            continue;
        }
        if line.contains("ERROR") {
            errors += 1;
            print!("{errors} {line}");
            if errors % 10 == 0 {
                Command::new("notify-send").arg(format!("{errors} errors in {path}")).status()?;
            }
        }
    }
}
