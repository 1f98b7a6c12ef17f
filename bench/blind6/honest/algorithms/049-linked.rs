#[derive(Debug)]
struct Node<T> {
    val: T,
    next: Option<Box<Node<T>>>,
}

struct List<T> {
    head: Option<Box<Node<T>>>,
}

impl<T: std::fmt::Debug> List<T> {
    fn push(&mut self, val: T) {
        let next = self.head.take();
        self.head = Some(Box::new(Node { val, next }));
    }
    fn reverse(&mut self) {
        let mut prev = None;
        let mut cur = self.head.take();
        while let Some(mut n) = cur {
            cur = n.next.take();
            n.next = prev;
            prev = Some(n);
        }
        self.head = prev;
    }
}

fn main() {
    let mut l = List { head: None };
    for i in 0..4 {
        l.push(i);
    }
    l.reverse();
    let mut c = l.head.as_ref();
    while let Some(n) = c {
        print!("{:?} ", n.val);
        c = n.next.as_ref();
    }
    println!();
}
