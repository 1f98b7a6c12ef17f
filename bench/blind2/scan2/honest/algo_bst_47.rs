// class: algorithm; style: boxes and options
#[derive(Default, Debug)]
struct Tree {
    root: Option<Box<Node>>,
}

#[derive(Debug)]
struct Node {
    key: i32,
    left: Option<Box<Node>>,
    right: Option<Box<Node>>,
}

impl Tree {
    fn insert(&mut self, key: i32) -> bool {
        let mut at = &mut self.root;
        while let Some(node) = at {
            if key == node.key {
                return false;
            }
            at = if key < node.key { &mut node.left } else { &mut node.right };
        }
        *at = Some(Box::new(Node { key, left: None, right: None }));
        true
    }

    fn walk(&self) -> Vec<i32> {
        fn go(n: &Option<Box<Node>>, out: &mut Vec<i32>) {
            if let Some(n) = n {
                go(&n.left, out);
                out.push(n.key);
                go(&n.right, out);
            }
        }
        let mut out = vec![];
        go(&self.root, &mut out);
        out
    }
}

fn main() {
    let mut t = Tree::default();
    for k in [5, 2, 8, 1, 9, 2] {
        t.insert(k);
    }
    println!("{:?}", t.walk());
}
