use std::collections::BTreeMap;
use std::io::{self, Read};

fn main() -> io::Result<()> {
    let mut text = String::new();
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        io::stdin().read_to_string(&mut text)?;
    }
    for f in &files {
        text.push_str(&std::fs::read_to_string(f)?);
        text.push('\n');
    }
    let mut m: BTreeMap<String, usize> = BTreeMap::new();
    for w in text.split(|c: char| !c.is_alphanumeric()).filter(|w| w.len() > 3) {
        *m.entry(w.to_lowercase()).or_insert(0) += 1;
    }
    let mut v: Vec<_> = m.into_iter().collect();
    v.sort_by(|a, b| b.1.cmp(&a.1));
    for (w, n) in v.into_iter().take(20) {
        println!("{n:6} {w}");
    }
    Ok(())
}
