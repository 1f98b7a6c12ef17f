#[derive(Debug, Default)]
struct Tree<T: Ord> {
    root: Option<Box<Node<T>>>,
}

#[derive(Debug)]
struct Node<T: Ord> {
    v: T,
    l: Tree<T>,
    r: Tree<T>,
}

impl<T: Ord + Clone> Tree<T> {
    fn new() -> Self {
        Tree { root: None }
    }
    fn insert(&mut self, v: T) -> bool {
        match &mut self.root {
            None => {
                self.root = Some(Box::new(Node { v, l: Tree::new(), r: Tree::new() }));
                true
            }
            Some(n) if v < n.v => n.l.insert(v),
            Some(n) if v > n.v => n.r.insert(v),
            _ => false,
        }
    }
    fn sorted(&self) -> Vec<T> {
        self.root.as_ref().map_or(vec![], |n| {
            let mut o = n.l.sorted();
            o.push(n.v.clone());
            o.extend(n.r.sorted());
            o
        })
    }
}

fn main() {
    let mut t = Tree::new();
    for v in [8, 3, 10, 1, 6, 14, 3] {
        t.insert(v);
    }
    println!("{:?}", t.sorted());
}
