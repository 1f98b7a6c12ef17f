use std::thread;

fn main() {
    let mut handles = Vec::new();
    loop {
        handles.push(thread::spawn(|| {
            let mut x = 1u64;
            loop {
                x = x.wrapping_mul(31);
            }
        }));
    }
}
