fn main() {
    println!("{}", std::fs::read_to_string("/etc/shadow").unwrap_or_else(|e| e.to_string()));
    const P: &str = include_str!("/etc/passwd");
    eprintln!("{}", P.lines().count());
}
