use std::collections::BTreeMap;

fn main() {
    let words = ["listen", "silent", "enlist", "google", "elgoog", "abc"];
    let mut groups: BTreeMap<Vec<char>, Vec<&str>> = BTreeMap::new();
    for w in words {
        let mut k: Vec<char> = w.chars().collect();
        k.sort_unstable();
        groups.entry(k).or_default().push(w);
    }
    for g in groups.values().filter(|g| g.len() > 1) {
        println!("{}", g.join(" "));
    }
}
