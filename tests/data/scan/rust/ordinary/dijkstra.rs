use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

fn shortest(g: &HashMap<u32, Vec<(u32, u32)>>, s: u32) -> HashMap<u32, u32> {
    let mut d = HashMap::new();
    let mut q = BinaryHeap::new();
    q.push(Reverse((0, s)));
    while let Some(Reverse((c, n))) = q.pop() {
        if d.contains_key(&n) {
            continue;
        }
        d.insert(n, c);
        for &(m, w) in g.get(&n).into_iter().flatten() {
            q.push(Reverse((c + w, m)));
        }
    }
    d
}

fn main() {
    let mut g = HashMap::new();
    g.insert(1, vec![(2, 7), (3, 2)]);
    g.insert(3, vec![(2, 3)]);
    println!("{:?}", shortest(&g, 1));
}
