use std::time::Instant;

fn collatz(mut n: u64) -> u32 {
    let mut steps = 0;
    loop {
        if n == 1 {
            return steps;
        }
        n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
        steps += 1;
    }
}

fn main() {
    let t = Instant::now();
    let best = (1..100_000u64).max_by_key(|n| collatz(*n)).unwrap();
    println!("{} in {:?}", best, t.elapsed());
}
