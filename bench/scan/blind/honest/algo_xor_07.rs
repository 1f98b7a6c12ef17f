// class: puzzle, cipher; style: tidy
fn xor(data: &[u8], key: &[u8]) -> Vec<u8> {
    data.iter().zip(key.iter().cycle()).map(|(a, b)| a ^ b).collect()
}

fn main() {
    let key = b"secret";
    let sealed = xor(b"hello", key);
    assert_eq!(xor(&sealed, key), b"hello");
    println!("{}", sealed.iter().map(|b| format!("{b:02x}")).collect::<String>());
}
