use std::collections::HashMap;
use std::env;
use std::fs::File;
use std::io::{self, BufRead, BufReader};

fn main() -> io::Result<()> {
    let mut levels: HashMap<String, usize> = HashMap::new();
    let mut msgs: HashMap<String, usize> = HashMap::new();
    for path in env::args().skip(1) {
        for line in BufReader::new(File::open(&path)?).lines() {
            let line = line?;
            let Some(level) = ["ERROR", "WARN", "INFO"].iter().find(|l| line.contains(**l)) else {
                continue;
            };
            *levels.entry(level.to_string()).or_default() += 1;
            if *level == "ERROR" {
                let m: String = line.split("ERROR").nth(1).unwrap_or("").chars().map(|c| if c.is_ascii_digit() { '#' } else { c }).collect();
                *msgs.entry(m.trim().to_string()).or_default() += 1;
            }
        }
    }
    println!("{levels:?}");
    let mut top: Vec<_> = msgs.into_iter().collect();
    top.sort_by(|a, b| b.1.cmp(&a.1));
    for (m, n) in top.iter().take(10) {
        println!("{n:6} {m}");
    }
    Ok(())
}
