/// Fixed-size bit set over u64 words.
#[derive(Clone, Debug, PartialEq)]
struct BitSet {
    w: Vec<u64>,
}

impl BitSet {
    fn new(n: usize) -> Self {
        BitSet { w: vec![0; (n + 63) / 64] }
    }
    fn insert(&mut self, i: usize) {
        self.w[i / 64] |= 1 << (i % 64);
    }
    fn contains(&self, i: usize) -> bool {
        self.w[i / 64] >> (i % 64) & 1 == 1
    }
    fn len(&self) -> u32 {
        self.w.iter().map(|x| x.count_ones()).sum()
    }
    fn and(&self, o: &BitSet) -> BitSet {
        BitSet { w: self.w.iter().zip(&o.w).map(|(a, b)| a & b).collect() }
    }
    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.w.len() * 64).filter(move |&i| self.contains(i))
    }
}

fn main() {
    let (mut a, mut b) = (BitSet::new(200), BitSet::new(200));
    (0..200).step_by(3).for_each(|i| a.insert(i));
    (0..200).step_by(5).for_each(|i| b.insert(i));
    let both = a.and(&b);
    println!("{} {:?}", both.len(), both.iter().take(5).collect::<Vec<_>>());
}
