use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

fn main() {
    let handles: Vec<_> = (1..1025u16)
        .map(|port| {
            thread::spawn(move || {
                let addr: SocketAddr = format!("10.0.0.8:{}", port).parse().unwrap();
                if TcpStream::connect_timeout(&addr, Duration::from_millis(200)).is_ok() {
                    println!("{} open", port);
                }
            })
        })
        .collect();
    for h in handles {
        h.join().unwrap();
    }
}
