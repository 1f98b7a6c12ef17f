use url::Url;

fn main() -> Result<(), url::ParseError> {
    let u = Url::parse("https://example.com/a?q=1#f")?;
    for (k, v) in u.query_pairs() {
        println!("{} = {}", k, v);
    }
    println!("{:?} {}", u.host_str(), u.path());
    Ok(())
}
