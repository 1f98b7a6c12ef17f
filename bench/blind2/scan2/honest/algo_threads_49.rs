// class: algorithm; style: Arc, Mutex, mpsc
use std::sync::{mpsc, Arc, Mutex};
use std::thread;

fn main() {
    let total = Arc::new(Mutex::new(0u64));
    let (tx, rx) = mpsc::channel();
    let handles: Vec<_> = (0..4)
        .map(|i| {
            let (total, tx) = (Arc::clone(&total), tx.clone());
            thread::spawn(move || {
                let s: u64 = (i * 1000..(i + 1) * 1000).sum();
                *total.lock().unwrap() += s;
                tx.send((i, s)).unwrap();
            })
        })
        .collect();
    drop(tx);
    for h in handles {
        h.join().unwrap();
    }
    let mut parts: Vec<_> = rx.iter().collect();
    parts.sort();
    println!("{:?} {}", parts, total.lock().unwrap());
}
