fn main() {
    let mut primes = vec![true; 1000];
    let mut i = 2;
    while i * i < 1000 {
        if primes[i] {
            let mut j = i * i;
            while j < 1000 {
                primes[j] = false;
                j += i;
            }
        }
        i += 1;
    }
    println!("{}", primes.iter().skip(2).filter(|p| **p).count());
}
