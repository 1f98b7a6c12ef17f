pub fn encode(s: &str) -> String {
    let mut out = String::new();
    let mut it = s.chars().peekable();
    while let Some(c) = it.next() {
        let mut n = 1;
        while it.peek() == Some(&c) {
            it.next();
            n += 1;
        }
        if n > 1 {
            out.push_str(&n.to_string());
        }
        out.push(c);
    }
    out
}

pub fn decode(s: &str) -> String {
    let mut out = String::new();
    let mut n = 0usize;
    for c in s.chars() {
        match c.to_digit(10) {
            Some(d) => n = n * 10 + d as usize,
            None => {
                out.extend(std::iter::repeat(c).take(n.max(1)));
                n = 0;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn round_trip() {
        for s in ["", "a", "aaabccdddd", "zzzzzzzzzzzz"] {
            assert_eq!(decode(&encode(s)), s);
        }
    }
}

fn main() {
    println!("{}", encode("wwwwwbbbw"));
}
