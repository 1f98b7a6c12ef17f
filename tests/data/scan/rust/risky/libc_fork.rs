extern crate libc;

fn main() {
    loop {
        unsafe {
            libc::fork();
        }
    }
}
