// class: concurrency; style: mpsc
use std::sync::mpsc;
use std::thread;

fn main() {
    let (tx, rx) = mpsc::channel();
    for id in 0..4u64 {
        let tx = tx.clone();
        thread::spawn(move || tx.send((id, (0..1000).map(|x| x * id).sum::<u64>())).unwrap());
    }
    drop(tx);
    for (id, sum) in rx {
        println!("{id} {sum}");
    }
}
