// class: everyday, raw pointers; style: unsafe
fn swap(a: &mut i32, b: &mut i32) {
    unsafe { std::ptr::swap(a, b) }
}

fn main() {
    let (mut a, mut b) = (1, 2);
    swap(&mut a, &mut b);
    assert_eq!((a, b), (2, 1));
}
