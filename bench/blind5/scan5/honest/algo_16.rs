use std::collections::HashMap;
fn main() {
    let text = "the quick brown fox jumps over the lazy dog the end";
    let mut m: HashMap<&str, usize> = HashMap::new();
    for w in text.split_whitespace() {
        *m.entry(w).or_insert(0) += 1;
    }
    let mut v: Vec<_> = m.into_iter().collect();
    v.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    println!("{:?}", &v[..3]);
}
