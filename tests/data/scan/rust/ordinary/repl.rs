use std::io::{self, Write};

fn main() -> io::Result<()> {
    let mut line = String::new();
    loop {
        print!("> ");
        io::stdout().flush()?;
        line.clear();
        if io::stdin().read_line(&mut line)? == 0 {
            break;
        }
        match line.trim() {
            "quit" => break,
            "help" => println!("quit, help, or text"),
            other => println!("{}", other.chars().rev().collect::<String>()),
        }
    }
    Ok(())
}
