use std::env;
use std::fs;
use std::process;

fn main() {
    let path = env::args().nth(1).unwrap_or_else(|| "input.txt".to_string());
    let text = match fs::read_to_string(&path) {
        Ok(t) => t,
        Err(e) => {
            eprintln!("{}: {}", path, e);
            process::exit(1);
        }
    };
    let sum: i64 = text.lines().filter_map(|l| l.trim().parse::<i64>().ok()).sum();
    println!("{}", sum);
}
