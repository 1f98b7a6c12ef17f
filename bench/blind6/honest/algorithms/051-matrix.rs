use std::ops::Mul;

#[derive(Clone, Debug, PartialEq)]
struct M<const R: usize, const C: usize>([[i64; C]; R]);

impl<const R: usize, const K: usize, const C: usize> Mul<&M<K, C>> for &M<R, K> {
    type Output = M<R, C>;
    fn mul(self, o: &M<K, C>) -> M<R, C> {
        let mut out = [[0; C]; R];
        for i in 0..R {
            for j in 0..C {
                out[i][j] = (0..K).map(|k| self.0[i][k] * o.0[k][j]).sum();
            }
        }
        M(out)
    }
}

fn main() {
    let f = M([[1, 1], [1, 0]]);
    let mut acc = M([[1, 0], [0, 1]]);
    for _ in 0..50 {
        acc = &acc * &f;
    }
    println!("{}", acc.0[0][1]);
}
