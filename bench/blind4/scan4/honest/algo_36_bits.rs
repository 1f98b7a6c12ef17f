// bit set of small numbers
#[derive(Clone, Debug, PartialEq)]
pub struct BitSet(Vec<u64>);

impl BitSet {
    pub fn with_capacity(n: usize) -> Self {
        BitSet(vec![0; (n + 63) / 64])
    }
    pub fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }
    pub fn contains(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }
    pub fn len(&self) -> u32 {
        self.0.iter().map(|w| w.count_ones()).sum()
    }
}

fn main() {
    let mut b = BitSet::with_capacity(100);
    b.insert(5);
    b.insert(70);
    println!("{} {} {}", b.contains(5), b.contains(6), b.len());
}
