use std::collections::HashMap;
use std::io::{self, BufRead};

fn main() {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for line in io::stdin().lock().lines() {
        for w in line.unwrap().split_whitespace() {
            *counts.entry(w.to_lowercase()).or_insert(0) += 1;
        }
    }
    let mut v: Vec<_> = counts.into_iter().collect();
    v.sort_by(|a, b| b.1.cmp(&a.1));
    for (w, n) in v.iter().take(10) {
        println!("{:>6} {}", n, w);
    }
}
