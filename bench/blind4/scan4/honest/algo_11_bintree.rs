// binary search tree with in-order walk
#[derive(Default)]
struct Tree {
    root: Option<Box<Node>>,
}

struct Node {
    key: i32,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

impl Tree {
    fn insert(&mut self, key: i32) {
        let mut cur = &mut self.root;
        while let Some(n) = cur {
            cur = if key < n.key { &mut n.left } else { &mut n.right };
        }
        *cur = Some(Box::new(Node {
            key,
            left: None,
            right: None,
        }));
    }

    fn walk(n: &Option<Box<Node>>, out: &mut Vec<i32>) {
        if let Some(b) = n {
            Self::walk(&b.left, out);
            out.push(b.key);
            Self::walk(&b.right, out);
        }
    }
}

fn main() {
    let mut t = Tree::default();
    for k in [8, 3, 10, 1, 6, 14] {
        t.insert(k);
    }
    let mut v = Vec::new();
    Tree::walk(&t.root, &mut v);
    println!("{v:?}");
}
