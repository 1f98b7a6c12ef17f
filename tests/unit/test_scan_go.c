/* The resolver for Go: names are resolved, constants folded, flows seen; hostile text ends. */
#include "scan/fold.h"
#include "scan_facts.h"

#define GO(imports, body)                                                    \
    facts_of_bytes(LANG_GO, "package main\nimport (\n" imports "\n)\n" body, \
                   sizeof("package main\nimport (\n" imports "\n)\n" body) - 1)

TEST(go_imports_are_told_with_their_paths)
{
    GO("\"os/exec\"\nx \"net/http\"\n. \"fmt\"\n_ \"plugin\"", "");
    CHECK(facts_have("import os/exec()"));
    CHECK(facts_have("import net/http()"));
    CHECK(facts_have("import fmt()"));
    CHECK(facts_have("import plugin()"));
}

TEST(go_calls_are_named_by_package_whatever_the_alias)
{
    GO("x \"os/exec\"\n. \"net\"", "func main() { f := x.Command; f(\"id\"); Dial(\"tcp\", \"h:1\") }");
    CHECK(facts_have("call os/exec.Command(id)"));
    CHECK(facts_have("call net.Dial(tcp, h:1)"));
    GO("\"gopkg.in/yaml.v3\"\n\"github.com/a/b/v2\"", "func main() { yaml.Unmarshal(nil, nil); b.Run() }");
    CHECK(facts_have("call gopkg.in/yaml.v3.Unmarshal(?, ?)"));
    CHECK(facts_have("call github.com/a/b/v2.Run()"));
}

TEST(go_a_command_is_told_with_all_its_arguments)
{
    GO("\"os/exec\"\n\"context\"",
       "func main() { a := []string{\"-c\", \"id\"}; exec.CommandContext(context.TODO(), \"sh\", a...).Run() }");
    CHECK(facts_have("call os/exec.CommandContext(sh, -c, id)"));
    CHECK(facts_have("call os/exec.Cmd.Run()"));
}

TEST(go_constants_are_folded)
{
    GO("\"os\"\n\"fmt\"\n\"strings\"\n\"encoding/base64\"\n\"encoding/hex\"",
       "const dir = \"/etc\"\n"
       "func main() {\n"
       "os.Open(dir + \"/\" + \"shadow\")\n"
       "os.Open(string([]byte{0x2f, 'a', 96 + 2}))\n"
       "os.Open(fmt.Sprintf(\"%s/x%d/%s\", dir, 3, os.Args[1]))\n"
       "os.Open(strings.Join([]string{\"a\", \"b\"}, \"/\"))\n"
       "os.Open(strings.Replace(\"/eXc\", \"X\", \"t\", -1))\n"
       "b, _ := base64.StdEncoding.DecodeString(\"L2V0Yy9ncm91cA==\")\n"
       "os.Open(string(b))\n"
       "h, _ := hex.DecodeString(\"2f78\")\n"
       "os.Open(string(h))\n"
       "os.Open([]string{\"p\", \"q\"}[1])\n"
       "s := \"/r\"\ns += \"oot\"\nos.Open(s)\n"
       "os.Open(\"\\x2f\\u0061\")\n}");
    CHECK(facts_have("call os.Open(/etc/shadow)"));
    CHECK(facts_have("call os.Open(/ab)"));
    CHECK(facts_have("call os.Open(/etc/x3/{})"));
    CHECK(facts_have("call os.Open(a/b)"));
    CHECK(facts_have("call os.Open(/etc)"));
    CHECK(facts_have("call os.Open(/etc/group)"));
    CHECK(facts_have("call os.Open(/x)"));
    CHECK(facts_have("call os.Open(q)"));
    CHECK(facts_have("call os.Open(/root)"));
    CHECK(facts_have("call os.Open(/a)"));
}

TEST(go_places_have_plain_names)
{
    GO("\"os\"\n\"path/filepath\"", "func main() { h, _ := os.UserHomeDir(); os.Open(filepath.Join(h, \".ssh\", "
                                    "\"id_rsa\")); os.Open(os.Getenv(\"HOME\") + \"/x\");\n"
                                    "d, _ := os.MkdirTemp(\"\", \"\"); os.RemoveAll(d) }");
    CHECK(facts_have("call os.Open(~/.ssh/id_rsa)"));
    CHECK(facts_have("call os.Open(~/x)"));
    CHECK(facts_have("call os.RemoveAll(/tmp/{})"));
    CHECK(!facts_mention("flow"));
}

TEST(go_parameters_learn_from_calls_below_them)
{
    GO("\"os/exec\"",
       "func run(c string) { exec.Command(\"sh\", \"-c\", c).Run() }\nfunc main() { run(\"id\" + \" -u\") }");
    CHECK(facts_have("call os/exec.Command(sh, -c, id -u)"));
    GO("\"os/exec\"", "func main() { exec.Command(name()).Run() }\nfunc name() string { return \"/bin/\" + \"sh\" }");
    CHECK(facts_have("call os/exec.Command(/bin/sh)"));
}

TEST(go_a_connection_as_standard_input_is_seen_however_it_is_set)
{
    GO("\"net\"\n\"os/exec\"",
       "type s struct { c net.Conn }\nfunc (x *s) f() { cmd := exec.Command(\"sh\"); cmd.Stdin = x.c; cmd.Run() }");
    CHECK(facts_have("flow socket-to-process()"));
    GO("\"net\"\n\"os/exec\"", "func f(c net.Conn) { (&exec.Cmd{Path: \"/bin/sh\", Stdin: c}).Run() }");
    CHECK(facts_have("flow socket-to-process()"));
    GO("\"net\"\n\"io\"\n\"os/exec\"",
       "func f(c net.Conn) { cmd := exec.Command(\"sh\"); p, _ := cmd.StdinPipe(); io.Copy(p, c) }");
    CHECK(facts_have("flow socket-to-process()"));
    GO("\"os\"\n\"os/exec\"", "func f() { cmd := exec.Command(\"sh\"); cmd.Stdin = os.Stdin; cmd.Run() }");
    CHECK(!facts_mention("flow"));
}

TEST(go_loops_without_end_are_told_apart_from_servers_and_readers)
{
    GO("\"os\"\n\"os/exec\"", "func main() { for { exec.Command(os.Args[0]).Start() } }");
    CHECK(facts_have("flow self-spawn-loop()"));
    GO("\"fmt\"", "func f() { select {} }\nfunc main() { for { go f() } }");
    CHECK(facts_have("flow thread-loop()"));
    GO("\"fmt\"", "func main() { var a []string; for { a = append(a, \"x\") } }");
    CHECK(facts_have("flow endless-alloc()"));
    GO("\"bufio\"\n\"os\"", "func main() { r := bufio.NewReader(os.Stdin); for { l, err := r.ReadString('\\n'); if err "
                            "!= nil { break }; println(l) } }");
    CHECK(!facts_mention("flow"));
    GO("\"fmt\"", "func main() { c := make(chan int); go func() { for { c <- 1 } }(); for { fmt.Println(<-c) } }");
    CHECK(!facts_mention("flow"));
}

TEST(go_what_came_from_the_network_is_followed_into_commands)
{
    GO("\"io\"\n\"net/http\"\n\"os/exec\"", "func main() { r, _ := http.Get(\"http://x\"); b, _ := io.ReadAll(r.Body); "
                                            "exec.Command(\"sh\", \"-c\", string(b)).Run() }");
    CHECK(facts_have("flow download-then-exec()"));
    GO("\"net/http\"\n\"os\"\n\"strings\"",
       "func main() { http.Post(\"http://x\", \"t\", strings.NewReader(os.Getenv(\"API_TOKEN\"))) }");
    CHECK(facts_have("flow secret-then-send()"));
}

TEST(go_comments_and_names_of_the_program_itself_are_no_facts)
{
    GO("\"fmt\"", "// exec.Command(\"sh\")\ntype exec struct{}\nfunc (exec) Command(s string) {}\nfunc main() { var e "
                  "exec; e.Command(\"sh\"); fmt.Println(\"os.RemoveAll\") }");
    CHECK(!facts_mention("call os"));
    CHECK(facts_mention("string (os.RemoveAll)"));
}

TEST(go_named_results_are_no_parameters_and_comments_are_no_values)
{
    GO("\"os\"", "func f(x string) (s string, err error) { os.Remove(s); os.Open(x); return }\n"
                 "func main() { f(\"/etc/shadow\"); os.Open((\"/etc/group\" /* why */)) }");
    CHECK(facts_have("call os.Open(/etc/shadow)"));
    CHECK(!facts_mention("os.Remove(/etc/shadow)"));
    CHECK(facts_have("call os.Open(/etc/group)"));
}

/* A member without a name, in what the grammar mended: memcpy() may not have it, which sanitizers judge. */
TEST(go_no_text_at_all_may_be_added_to_a_text)
{
    struct fragment p;
    fragment_init(&p);
    fold_add(&p.out, NULL, 0);
    fold_add(&p.out, "a", 1);
    CHECK(p.out.size == 1 && !p.out.failed);
}

TEST(go_hostile_text_ends)
{
    static char deep[300000];
    memset(deep, '(', sizeof deep);
    memcpy(deep, "package p; var x = ", 19);
    facts_of_bytes(LANG_GO, deep, sizeof deep);
    memset(deep + 5000, ')', 5000);
    deep[4999] = '1';
    facts_of_bytes(LANG_GO, deep, 10000 - 1);
    CHECK(facts_cut);
    facts_of_bytes(LANG_GO, "package p\n\0\xff\xfe import", 21);
    facts_of_bytes(LANG_GO, "", 0);
    facts_survive_changes(
        LANG_GO,
        "package main\nimport (\n\"net\"\n\"os\"\nx \"os/exec\"\n)\nconst h = \"a\" + `b`\ntype s struct { c net.Conn "
        "}\n"
        "func (p *s) run(a string, b ...string) (string, error) { c := x.Command(a, b...); c.Stdin = p.c; return "
        "a[1:2] + h, c.Run() }\n"
        "func main() { for i := 0; i < 3; i++ { go func(f string) { os.RemoveAll(f) }(os.Args[i]) }\n"
        "var m = map[string][]byte{\"k\": {1, 'c', 0x2f}}; for k, v := range m { println(k, string(v)) }\n"
        "switch y := any(m).(type) { case *net.TCPConn: y.File() }; select { case <-ch: default: } }\n",
        400);
}
