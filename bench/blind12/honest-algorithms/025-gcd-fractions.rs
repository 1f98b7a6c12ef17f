use std::fmt;
use std::ops::Add;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Frac(i64, i64);

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

impl Frac {
    fn reduced(self) -> Self {
        let g = gcd(self.0, self.1);
        Frac(self.0 / g, self.1 / g)
    }
}

impl Add for Frac {
    type Output = Frac;
    fn add(self, o: Frac) -> Frac {
        Frac(self.0 * o.1 + o.0 * self.1, self.1 * o.1).reduced()
    }
}

impl fmt::Display for Frac {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}/{}", self.0, self.1)
    }
}

fn main() {
    println!("{}", Frac(1, 6) + Frac(1, 3));
}
