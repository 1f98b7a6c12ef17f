const M: u64 = 1_000_000_007;
type Mat = [[u64; 2]; 2];

fn mul(a: &Mat, b: &Mat) -> Mat {
    let mut c = [[0; 2]; 2];
    for i in 0..2 {
        for j in 0..2 {
            for k in 0..2 {
                c[i][j] = (c[i][j] + a[i][k] * b[k][j]) % M;
            }
        }
    }
    c
}

fn fib(mut n: u64) -> u64 {
    let mut r: Mat = [[1, 0], [0, 1]];
    let mut b: Mat = [[1, 1], [1, 0]];
    while n > 0 {
        if n & 1 == 1 {
            r = mul(&r, &b);
        }
        b = mul(&b, &b);
        n >>= 1;
    }
    r[0][1]
}

fn main() {
    for n in [1u64, 10, 90, 1_000_000_000_000] {
        println!("{} {}", n, fib(n));
    }
}
