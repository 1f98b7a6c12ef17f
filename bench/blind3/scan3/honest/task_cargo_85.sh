cargo new --bin wc2 && cd wc2
cat > src/main.rs <<'RS'
use std::io::Read;
fn main() {
    let mut s = String::new();
    std::io::stdin().read_to_string(&mut s).unwrap();
    println!("{} {} {}", s.lines().count(), s.split_whitespace().count(), s.len());
}
RS
cargo build --release && echo "one two" | ./target/release/wc2
cargo clippy -- -D warnings
