struct Ring<T> {
    buf: Vec<Option<T>>,
    head: usize,
    len: usize,
}

impl<T> Ring<T> {
    fn new(n: usize) -> Self {
        Ring { buf: (0..n).map(|_| None).collect(), head: 0, len: 0 }
    }

    fn push(&mut self, v: T) -> Option<T> {
        let n = self.buf.len();
        let i = (self.head + self.len) % n;
        if self.len == n {
            self.head = (self.head + 1) % n;
        } else {
            self.len += 1;
        }
        self.buf[i].replace(v)
    }

    fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        (0..self.len).filter_map(move |k| self.buf[(self.head + k) % self.buf.len()].as_ref())
    }
}

fn main() {
    let mut r = Ring::new(3);
    for i in 0..5 {
        r.push(i);
    }
    println!("{:?}", r.iter().collect::<Vec<_>>());
}
