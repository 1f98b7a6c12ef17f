use std::env;
use std::fs;
use std::path::PathBuf;

fn store() -> PathBuf {
    PathBuf::from(env::var("HOME").expect("HOME")).join(".todo.txt")
}

fn load() -> Vec<(bool, String)> {
    fs::read_to_string(store())
        .unwrap_or_default()
        .lines()
        .filter_map(|l| l.split_once(' ').map(|(m, t)| (m == "x", t.to_string())))
        .collect()
}

fn save(items: &[(bool, String)]) -> std::io::Result<()> {
    let text: String = items.iter().map(|(d, t)| format!("{} {}\n", if *d { 'x' } else { '-' }, t)).collect();
    fs::write(store(), text)
}

fn main() -> std::io::Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let mut items = load();
    match args.first().map(String::as_str) {
        Some("add") => items.push((false, args[1..].join(" "))),
        Some("done") => {
            if let Some(it) = args.get(1).and_then(|n| n.parse::<usize>().ok()).and_then(|n| items.get_mut(n - 1)) {
                it.0 = true;
            }
        }
        Some("clean") => items.retain(|i| !i.0),
        _ => {}
    }
    save(&items)?;
    for (n, (d, t)) in items.iter().enumerate() {
        println!("{:3} [{}] {}", n + 1, if *d { 'x' } else { ' ' }, t);
    }
    Ok(())
}
