fn main() {
    let mut v = [1, 2, 3];
    let p = v.as_mut_ptr();
    unsafe {
        *p.add(1) = 20;
        std::ptr::swap(p, p.add(2));
    }
    println!("{:?}", v);
}
