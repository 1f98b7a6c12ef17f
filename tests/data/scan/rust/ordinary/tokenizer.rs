#[derive(Debug, Clone, PartialEq)]
enum Token {
    Num(f64),
    Op(char),
    Open,
    Close,
}

fn tokenize(s: &str) -> Result<Vec<Token>, String> {
    let mut out = Vec::new();
    let mut it = s.chars().peekable();
    while let Some(&c) = it.peek() {
        match c {
            ' ' => {
                it.next();
            }
            '0'..='9' | '.' => {
                let mut n = String::new();
                while let Some(&d) = it.peek() {
                    if d.is_ascii_digit() || d == '.' {
                        n.push(d);
                        it.next();
                    } else {
                        break;
                    }
                }
                out.push(Token::Num(n.parse().map_err(|_| format!("bad number {}", n))?));
            }
            '+' | '-' | '*' | '/' => {
                out.push(Token::Op(c));
                it.next();
            }
            '(' => {
                out.push(Token::Open);
                it.next();
            }
            ')' => {
                out.push(Token::Close);
                it.next();
            }
            _ => return Err(format!("unexpected {}", c)),
        }
    }
    Ok(out)
}

fn main() {
    println!("{:?}", tokenize("1 + (2 * 3.5)"));
}
