use std::collections::HashMap;
use std::io::{self, BufRead};

fn key(w: &str) -> String {
    let mut c: Vec<char> = w.to_lowercase().chars().filter(|c| c.is_alphabetic()).collect();
    c.sort_unstable();
    c.into_iter().collect()
}

fn main() -> io::Result<()> {
    let mut groups: HashMap<String, Vec<String>> = HashMap::new();
    for line in io::stdin().lock().lines() {
        for w in line?.split_whitespace() {
            groups.entry(key(w)).or_default().push(w.to_string());
        }
    }
    let mut big: Vec<_> = groups.into_values().filter(|g| g.len() > 1).collect();
    big.sort_by_key(|g| std::cmp::Reverse(g.len()));
    for g in big {
        println!("{}", g.join(" "));
    }
    Ok(())
}
