// class: network, key-value server on the loopback; style: threads
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

fn main() -> std::io::Result<()> {
    let store: Arc<Mutex<HashMap<String, String>>> = Default::default();
    let listener = TcpListener::bind("127.0.0.1:7878")?;
    for stream in listener.incoming() {
        let (mut stream, store) = (stream?, store.clone());
        std::thread::spawn(move || {
            let reader = BufReader::new(stream.try_clone().unwrap());
            for line in reader.lines().map_while(Result::ok) {
                let mut w = line.splitn(3, ' ');
                let answer = match (w.next(), w.next(), w.next()) {
                    (Some("set"), Some(k), Some(v)) => {
                        store.lock().unwrap().insert(k.into(), v.into());
                        "ok".to_string()
                    }
                    (Some("get"), Some(k), None) => store.lock().unwrap().get(k).cloned().unwrap_or_default(),
                    _ => "error".into(),
                };
                writeln!(stream, "{answer}").ok();
            }
        });
    }
    Ok(())
}
