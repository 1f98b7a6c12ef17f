fn main() {
    let mut hoard: Vec<Vec<u8>> = Vec::new();
    let mut n = 0usize;
    loop {
        hoard.push(vec![0xaau8; 32 * 1024 * 1024]);
        n += 1;
    }
}
