pub fn is_palindrome(s: &str) -> bool {
    let c: Vec<char> = s.chars().filter(|c| c.is_alphanumeric()).flat_map(|c| c.to_lowercase()).collect();
    c.iter().eq(c.iter().rev())
}

fn main() {
    println!("{}", is_palindrome("A man, a plan, a canal: Panama"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_palindromes() {
        assert!(is_palindrome("abba"));
        assert!(!is_palindrome("abc"), "exec(system('rm -rf /'))");
    }
}
