use std::path::PathBuf;
use std::process::{exit, Command};

const STEPS: [&[&str]; 3] = [&["fmt", "--check"], &["clippy", "--all-targets", "--", "-D", "warnings"], &["test", "--quiet"]];

fn crates() -> Vec<PathBuf> {
    std::fs::read_dir("crates")
        .map(|rd| rd.flatten().map(|e| e.path()).filter(|p| p.join("Cargo.toml").exists()).collect())
        .unwrap_or_default()
}

fn main() {
    let mut failed = vec![];
    for dir in crates() {
        for step in STEPS {
            let ok = Command::new("cargo").args(step).current_dir(&dir).status().map(|s| s.success()).unwrap_or(false);
            println!("{:<30} cargo {:<8} {}", dir.display(), step[0], if ok { "ok" } else { "FAILED" });
            if !ok {
                failed.push((dir.clone(), step[0]));
            }
        }
    }
    exit(if failed.is_empty() { 0 } else { 1 });
}
