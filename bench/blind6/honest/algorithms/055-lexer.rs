#[derive(Debug, Clone, PartialEq)]
enum Tok {
    Num(f64),
    Ident(String),
    Op(char),
}

fn lex(src: &str) -> Result<Vec<Tok>, String> {
    let cs: Vec<char> = src.chars().collect();
    let (mut i, mut out) = (0, Vec::new());
    while i < cs.len() {
        let c = cs[i];
        let start = i;
        if c.is_whitespace() {
            i += 1;
        } else if c.is_ascii_digit() {
            while i < cs.len() && (cs[i].is_ascii_digit() || cs[i] == '.') {
                i += 1;
            }
            let t: String = cs[start..i].iter().collect();
            out.push(Tok::Num(t.parse().map_err(|e| format!("{e}"))?));
        } else if c.is_alphabetic() {
            while i < cs.len() && cs[i].is_alphanumeric() {
                i += 1;
            }
            out.push(Tok::Ident(cs[start..i].iter().collect()));
        } else if "+-*/()=".contains(c) {
            out.push(Tok::Op(c));
            i += 1;
        } else {
            return Err(format!("bad character {c} at {i}"));
        }
    }
    Ok(out)
}

fn main() {
    println!("{:?}", lex("x = 3.5 * (y + 2)"));
}
