// class: algorithm, tokenizer; style: enum and peekable
#[derive(Debug, PartialEq)]
enum Token {
    Num(f64),
    Op(char),
    Open,
    Close,
}

fn lex(text: &str) -> Result<Vec<Token>, String> {
    let mut out = Vec::new();
    let mut it = text.chars().peekable();
    while let Some(&c) = it.peek() {
        match c {
            ' ' => { it.next(); }
            '0'..='9' | '.' => {
                let mut s = String::new();
                while let Some(&d) = it.peek() {
                    if d.is_ascii_digit() || d == '.' { s.push(d); it.next(); } else { break; }
                }
                out.push(Token::Num(s.parse().map_err(|e| format!("{e}"))?));
            }
            '+' | '-' | '*' | '/' => { out.push(Token::Op(c)); it.next(); }
            '(' => { out.push(Token::Open); it.next(); }
            ')' => { out.push(Token::Close); it.next(); }
            other => return Err(format!("bad character {other:?}")),
        }
    }
    Ok(out)
}

fn main() {
    println!("{:?}", lex("3.5*(2+1)"));
    println!("{:?}", lex("3 $ 4"));
}
