use std::env;
use std::fs;
use std::path::PathBuf;

fn store() -> PathBuf {
    let base = env::var_os("XDG_DATA_HOME")
        .map(PathBuf::from)
        .unwrap_or_else(|| PathBuf::from(env::var_os("HOME").expect("HOME")).join(".local/share"));
    base.join("todo").join("list.txt")
}

fn main() -> std::io::Result<()> {
    let path = store();
    fs::create_dir_all(path.parent().unwrap())?;
    let mut items: Vec<String> = fs::read_to_string(&path).unwrap_or_default().lines().map(String::from).collect();
    let args: Vec<String> = env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("add") => items.push(args[1..].join(" ")),
        Some("done") => {
            let n: usize = args.get(1).and_then(|s| s.parse().ok()).unwrap_or(0);
            if n >= 1 && n <= items.len() {
                println!("done: {}", items.remove(n - 1));
            }
        }
        _ => items.iter().enumerate().for_each(|(i, t)| println!("{:3} {}", i + 1, t)),
    }
    fs::write(path, items.join("\n"))
}
