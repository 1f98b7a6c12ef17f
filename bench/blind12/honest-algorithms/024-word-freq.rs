use std::collections::BTreeMap;

fn main() {
    let text = "one two two three three three";
    let mut freq: BTreeMap<&str, usize> = BTreeMap::new();
    for w in text.split_whitespace() {
        *freq.entry(w).or_default() += 1;
    }
    for (w, n) in &freq {
        println!("{w}: {n}");
    }
}
