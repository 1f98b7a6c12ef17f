// class: algorithm, raw pointers swapped; style: exercise
fn swap<T>(a: *mut T, b: *mut T) {
    unsafe { std::ptr::swap(a, b) }
}

fn main() {
    let (mut x, mut y) = (1, 2);
    swap(&mut x, &mut y);
    let bytes: [u8; 4] = unsafe { std::mem::transmute(0x41424344u32) };
    println!("{x} {y} {:?}", bytes);
}
