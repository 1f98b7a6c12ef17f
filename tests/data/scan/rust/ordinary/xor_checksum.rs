fn checksum(data: &[u8]) -> u8 {
    data.iter().fold(0, |a, b| a ^ b)
}

fn caesar(s: &str, k: u8) -> String {
    s.bytes()
        .map(|b| match b {
            b'a'..=b'z' => ((b - b'a' + k) % 26 + b'a') as char,
            b'A'..=b'Z' => ((b - b'A' + k) % 26 + b'A') as char,
            _ => b as char,
        })
        .collect()
}

fn main() {
    println!("{} {}", checksum(b"abc"), caesar("Hello", 13));
}
