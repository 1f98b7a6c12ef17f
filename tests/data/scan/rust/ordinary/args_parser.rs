use std::env;

#[derive(Default, Debug)]
struct Options {
    verbose: bool,
    output: Option<String>,
    inputs: Vec<String>,
}

fn main() {
    let mut o = Options::default();
    let mut args = env::args().skip(1);
    while let Some(a) = args.next() {
        match a.as_str() {
            "-v" | "--verbose" => o.verbose = true,
            "-o" => o.output = args.next(),
            _ => o.inputs.push(a),
        }
    }
    if let Ok(level) = env::var("RUST_LOG") {
        println!("log level {}", level);
    }
    println!("{:?}", o);
}
