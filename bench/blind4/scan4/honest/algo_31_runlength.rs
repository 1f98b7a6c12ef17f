// run length coding
fn encode(s: &str) -> String {
    let mut out = String::new();
    let mut it = s.chars().peekable();
    while let Some(c) = it.next() {
        let mut n = 1;
        while it.peek() == Some(&c) {
            it.next();
            n += 1;
        }
        out.push_str(&format!("{n}{c}"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn simple() {
        assert_eq!(encode("aaabcc"), "3a1b2c");
    }
}

fn main() {
    println!("{}", encode("wwwwaaadexxxxxx"));
}
