struct Ring<const N: usize> {
    buf: [f64; N],
    len: usize,
    at: usize,
    sum: f64,
}

impl<const N: usize> Ring<N> {
    fn new() -> Self {
        Ring { buf: [0.0; N], len: 0, at: 0, sum: 0.0 }
    }

    fn push(&mut self, v: f64) -> f64 {
        self.sum += v - self.buf[self.at];
        self.buf[self.at] = v;
        self.at = (self.at + 1) % N;
        self.len = (self.len + 1).min(N);
        self.sum / self.len as f64
    }
}

fn main() {
    let mut r = Ring::<4>::new();
    for (i, v) in [3.0, 5.0, 4.0, 8.0, 9.0, 2.0].iter().enumerate() {
        println!("{i} {v:4.1} {:5.2}", r.push(*v));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn wraps() {
        let mut r = Ring::<2>::new();
        r.push(1.0);
        r.push(2.0);
        assert_eq!(r.push(4.0), 3.0);
    }
}
