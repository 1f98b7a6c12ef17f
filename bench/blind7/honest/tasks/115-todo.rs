use std::{env, fs, io};

#[derive(serde::Serialize, serde::Deserialize)]
struct Item {
    text: String,
    done: bool,
}

const FILE: &str = "todo.json";

fn load() -> Vec<Item> {
    fs::read_to_string(FILE).ok().and_then(|t| serde_json::from_str(&t).ok()).unwrap_or_default()
}

fn main() -> io::Result<()> {
    let mut items = load();
    let args: Vec<String> = env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("add") => items.push(Item { text: args[1..].join(" "), done: false }),
        Some("done") => {
            if let Some(i) = args.get(1).and_then(|n| n.parse::<usize>().ok()).and_then(|n| items.get_mut(n - 1)) {
                i.done = true;
            }
        }
        Some("clear") => items.retain(|i| !i.done),
        _ => {}
    }
    for (n, i) in items.iter().enumerate() {
        println!("{:>3} [{}] {}", n + 1, if i.done { 'x' } else { ' ' }, i.text);
    }
    fs::write(FILE, serde_json::to_string_pretty(&items)?)
}
