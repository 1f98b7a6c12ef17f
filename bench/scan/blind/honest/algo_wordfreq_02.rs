// class: everyday; style: HashMap
use std::collections::HashMap;
use std::io::{self, BufRead};

fn main() {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        for word in line.split_whitespace() {
            *counts.entry(word.to_lowercase()).or_default() += 1;
        }
    }
    println!("{counts:?}");
}
