# what: compiles C and, where they are there, Go and Rust
# network: none
cd /tmp || exit 3
echo 'int main(void) { return 0; }' > a.c && gcc -O2 -pipe -o a a.c && ./a || exit 4
if [ -x /usr/bin/rustc ]; then echo 'fn main() { println!("{}", std::thread::spawn(|| 1).join().unwrap()); }' > b.rs; rustc -o b b.rs && ./b > /dev/null || exit 5; fi
echo done
