use std::thread;

fn chain(mut n: u64) -> u32 {
    let mut c = 1;
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        c += 1;
    }
    c
}

fn main() {
    let hs: Vec<_> = (0..4u64)
        .map(|t| thread::spawn(move || (1 + t * 100_000..=(t + 1) * 100_000).map(|n| (chain(n), n)).max().unwrap()))
        .collect();
    let best = hs.into_iter().map(|h| h.join().unwrap()).max().unwrap();
    println!("{} has length {}", best.1, best.0);
}
