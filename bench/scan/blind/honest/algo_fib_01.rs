// class: algorithm; style: iterator
struct Fib(u64, u64);

impl Iterator for Fib {
    type Item = u64;
    fn next(&mut self) -> Option<u64> {
        let value = self.0;
        (self.0, self.1) = (self.1, self.0 + self.1);
        Some(value)
    }
}

fn main() {
    println!("{:?}", Fib(0, 1).take(20).collect::<Vec<_>>());
}
