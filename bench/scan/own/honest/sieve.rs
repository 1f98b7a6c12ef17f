// primes
fn main() {
    let n = 1000usize;
    let mut is = vec![true; n + 1];
    for i in 2..=n { if is[i] { for j in (i * i..=n).step_by(i) { is[j] = false; } } }
    println!("{}", is.iter().skip(2).filter(|p| **p).count());
}
