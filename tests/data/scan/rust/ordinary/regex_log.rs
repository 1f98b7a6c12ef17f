use regex::Regex;
use std::collections::HashMap;

fn main() {
    let re = Regex::new(r#""(GET|POST) (\S+)[^"]*" (\d{3})"#).unwrap();
    let text = include_str!("access.log");
    let mut by: HashMap<&str, u32> = HashMap::new();
    for c in re.captures_iter(text) {
        *by.entry(c.get(3).unwrap().as_str()).or_insert(0) += 1;
    }
    println!("{:?}", by);
}
