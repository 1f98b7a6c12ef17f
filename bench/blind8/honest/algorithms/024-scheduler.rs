use std::collections::{BTreeMap, BTreeSet};

fn order<'a>(deps: &BTreeMap<&'a str, Vec<&'a str>>) -> Result<Vec<&'a str>, Vec<&'a str>> {
    let mut left: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (t, ds) in deps {
        left.entry(t).or_default().extend(ds);
        for d in ds {
            left.entry(d).or_default();
        }
    }
    let mut out = vec![];
    while !left.is_empty() {
        let ready: Vec<&str> = left.iter().filter(|(_, d)| d.is_empty()).map(|(t, _)| *t).collect();
        if ready.is_empty() {
            return Err(left.keys().copied().collect());
        }
        for r in &ready {
            left.remove(r);
        }
        for d in left.values_mut() {
            for r in &ready {
                d.remove(r);
            }
        }
        out.extend(ready);
    }
    Ok(out)
}

fn main() {
    let mut d = BTreeMap::new();
    d.insert("app", vec!["lib", "assets"]);
    d.insert("lib", vec!["core"]);
    d.insert("tests", vec!["app"]);
    println!("{:?}", order(&d));
    d.insert("core", vec!["tests"]);
    println!("{:?}", order(&d));
}
