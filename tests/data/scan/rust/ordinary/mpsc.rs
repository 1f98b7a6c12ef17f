use std::sync::mpsc;
use std::thread;

fn main() {
    let (tx, rx) = mpsc::channel();
    for id in 0..4 {
        let tx = tx.clone();
        thread::spawn(move || {
            for i in 0..5 {
                tx.send(id * 10 + i).unwrap();
            }
        });
    }
    drop(tx);
    let mut all: Vec<i32> = rx.iter().collect();
    all.sort();
    println!("{:?}", all);
}
