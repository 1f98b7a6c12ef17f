use std::io::{self, BufRead, Write};

fn split(line: &str) -> Vec<String> {
    let (mut out, mut cur, mut quoted) = (vec![], String::new(), false);
    let mut it = line.chars().peekable();
    while let Some(c) = it.next() {
        match c {
            '"' if quoted && it.peek() == Some(&'"') => {
                it.next();
                cur.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => out.push(std::mem::take(&mut cur)),
            _ => cur.push(c),
        }
    }
    out.push(cur);
    out
}

fn quote(s: &str) -> String {
    format!("\"{}\"", s.replace('\\', "\\\\").replace('"', "\\\""))
}

fn main() -> io::Result<()> {
    let mut lines = io::stdin().lock().lines();
    let Some(head) = lines.next().transpose()? else { return Ok(()) };
    let head = split(&head);
    let mut out = io::BufWriter::new(io::stdout().lock());
    for l in lines {
        let row = split(&l?);
        let fields: Vec<String> = head
            .iter()
            .zip(&row)
            .map(|(h, v)| match v.parse::<f64>() {
                Ok(n) if n.is_finite() => format!("{}:{}", quote(h), n),
                _ => format!("{}:{}", quote(h), quote(v)),
            })
            .collect();
        writeln!(out, "{{{}}}", fields.join(","))?;
    }
    Ok(())
}
