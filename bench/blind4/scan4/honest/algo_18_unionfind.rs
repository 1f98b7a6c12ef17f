// union find with path compression
struct Dsu(Vec<usize>);

impl Dsu {
    fn new(n: usize) -> Self {
        Dsu((0..n).collect())
    }
    fn find(&mut self, x: usize) -> usize {
        if self.0[x] != x {
            let r = self.find(self.0[x]);
            self.0[x] = r;
        }
        self.0[x]
    }
    fn union(&mut self, a: usize, b: usize) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a] = b;
        a != b
    }
}

fn main() {
    let mut d = Dsu::new(6);
    for (a, b) in [(0, 1), (1, 2), (3, 4), (2, 0)] {
        println!("{a}-{b}: {}", d.union(a, b));
    }
}
