// class: algorithm; style: iterators
fn main() {
    let n = 1000usize;
    let mut composite = vec![false; n + 1];
    let primes: Vec<usize> = (2..=n)
        .filter(|&i| {
            if composite[i] {
                return false;
            }
            (i * i..=n).step_by(i).for_each(|j| composite[j] = true);
            true
        })
        .collect();
    println!("{} primes, last {:?}", primes.len(), primes.last());
}
