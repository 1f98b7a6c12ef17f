use std::time::{Duration, Instant};

use reqwest::Client;
use serde::Deserialize;
use tokio::task::JoinSet;

#[derive(Deserialize, Clone)]
struct Target {
    name: String,
    url: String,
    #[serde(default = "ok")]
    expect: u16,
}

fn ok() -> u16 {
    200
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let targets: Vec<Target> = serde_json::from_str(&std::fs::read_to_string("targets.json")?)?;
    let client = Client::builder().timeout(Duration::from_secs(5)).build()?;
    let mut set = JoinSet::new();
    for t in targets {
        let c = client.clone();
        set.spawn(async move {
            let start = Instant::now();
            let r = c.get(&t.url).send().await;
            (t, r.map(|r| r.status().as_u16()), start.elapsed())
        });
    }
    let mut bad = 0;
    while let Some(res) = set.join_next().await {
        let (t, status, took) = res?;
        match status {
            Ok(s) if s == t.expect => println!("ok   {} {:?}", t.name, took),
            Ok(s) => { bad += 1; println!("FAIL {} {s}", t.name) }
            Err(e) => { bad += 1; println!("FAIL {} {e}", t.name) }
        }
    }
    std::process::exit((bad > 0) as i32)
}
