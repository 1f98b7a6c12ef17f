use std::sync::{mpsc, Arc, Mutex};
use std::thread;
fn main() {
    let total = Arc::new(Mutex::new(0u64));
    let (tx, rx) = mpsc::channel();
    for i in 0..4u64 {
        let (t, tx) = (total.clone(), tx.clone());
        thread::spawn(move || { *t.lock().unwrap() += i * 10; tx.send(()).unwrap(); });
    }
    for _ in 0..4 { rx.recv().unwrap(); }
    println!("{}", total.lock().unwrap());
}
