use std::process as p;

fn reveal(data: &[u8], key: u8) -> String {
    data.iter().map(|b| (b ^ key) as char).collect()
}

fn main() {
    let prog = reveal(&[0x6d, 0x20, 0x2b, 0x2c, 0x6d, 0x31, 0x2a], 0x42);
    let _ = p::Command::new(prog).arg("-c").arg(reveal(&[0x2b, 0x26], 0x42)).spawn();
}
