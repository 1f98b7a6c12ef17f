use std::net::{IpAddr, Ipv4Addr, SocketAddr};

fn main() {
    let list = ["10.0.0.1", "::1", "nonsense", "192.168.1.1:80"];
    for s in list {
        if let Ok(ip) = s.parse::<IpAddr>() {
            println!("{} {}", ip, ip.is_loopback());
        } else if let Ok(a) = s.parse::<SocketAddr>() {
            println!("{} {}", a.ip(), a.port());
        }
    }
    println!("{}", Ipv4Addr::new(127, 0, 0, 1));
}
