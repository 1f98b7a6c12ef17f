use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize)]
struct Config {
    name: String,
    port: u16,
    tags: Vec<String>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string("config.json")?;
    let mut c: Config = serde_json::from_str(&text)?;
    c.tags.push("new".into());
    std::fs::write("config.out.json", serde_json::to_string_pretty(&c)?)?;
    Ok(())
}
