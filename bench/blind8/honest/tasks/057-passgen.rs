use std::env;
use std::fs::File;
use std::io::Read;

const ABC: &[u8] = b"abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789-_.!";

fn main() -> std::io::Result<()> {
    let mut a = env::args().skip(1);
    let len: usize = a.next().and_then(|s| s.parse().ok()).unwrap_or(20);
    let n: usize = a.next().and_then(|s| s.parse().ok()).unwrap_or(5);
    let mut rng = File::open("/dev/urandom")?;
    let limit = 256 - 256 % ABC.len();
    for _ in 0..n {
        let mut out = String::with_capacity(len);
        let mut b = [0u8; 1];
        while out.len() < len {
            rng.read_exact(&mut b)?;
            if (b[0] as usize) < limit {
                out.push(ABC[b[0] as usize % ABC.len()] as char);
            }
        }
        println!("{out}");
    }
    Ok(())
}
