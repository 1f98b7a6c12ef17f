use std::collections::BTreeMap;

#[derive(Default)]
struct Node {
    next: BTreeMap<char, Node>,
    end: bool,
}

impl Node {
    fn insert(&mut self, w: &str) {
        let mut n = self;
        for c in w.chars() {
            n = n.next.entry(c).or_default();
        }
        n.end = true;
    }

    fn complete(&self, prefix: &str) -> Vec<String> {
        let mut n = self;
        for c in prefix.chars() {
            match n.next.get(&c) {
                Some(x) => n = x,
                None => return vec![],
            }
        }
        let mut out = vec![];
        n.walk(&mut prefix.to_string(), &mut out);
        out
    }

    fn walk(&self, cur: &mut String, out: &mut Vec<String>) {
        if self.end {
            out.push(cur.clone());
        }
        for (c, n) in &self.next {
            cur.push(*c);
            n.walk(cur, out);
            cur.pop();
        }
    }
}

fn main() {
    let mut t = Node::default();
    for w in "kill killed key keyboard keylogger keen kit".split(' ') {
        t.insert(w);
    }
    println!("{:?}", t.complete("key"));
}
