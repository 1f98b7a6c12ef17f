use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, HashMap};
use std::hash::{Hash, Hasher};

fn hash<T: Hash>(t: T) -> u64 {
    let mut h = DefaultHasher::new();
    t.hash(&mut h);
    h.finish()
}

struct Ring {
    points: BTreeMap<u64, String>,
}

impl Ring {
    fn new(nodes: &[&str], replicas: u32) -> Self {
        let mut points = BTreeMap::new();
        for n in nodes {
            for r in 0..replicas {
                points.insert(hash((n, r)), n.to_string());
            }
        }
        Ring { points }
    }

    fn get(&self, key: &str) -> &str {
        self.points
            .range(hash(key)..)
            .next()
            .or_else(|| self.points.iter().next())
            .map(|(_, n)| n.as_str())
            .unwrap()
    }
}

fn main() {
    let a = Ring::new(&["n1", "n2", "n3"], 120);
    let b = Ring::new(&["n1", "n2", "n3", "n4"], 120);
    let mut count: HashMap<&str, u32> = HashMap::new();
    let keys: Vec<String> = (0..10_000).map(|i| format!("key{i}")).collect();
    let moved = keys.iter().filter(|k| a.get(k) != b.get(k)).count();
    for k in &keys {
        *count.entry(b.get(k)).or_default() += 1;
    }
    println!("{count:?}, moved {moved}");
}
