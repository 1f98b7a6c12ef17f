fn best(items: &[(usize, u32)], cap: usize) -> u32 {
    let mut dp = vec![0; cap + 1];
    for &(w, v) in items {
        for c in (w..=cap).rev() {
            dp[c] = dp[c].max(dp[c - w] + v);
        }
    }
    dp[cap]
}

fn main() {
    let items = [(2, 3), (3, 4), (4, 5), (5, 8)];
    println!("{}", best(&items, 9));
}
