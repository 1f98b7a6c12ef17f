/* Values that a resolver lost, and the program's literals in their place. */
#include "test.h"

#include "scan/engine.h"
#include "scan/grammar.h"
#include "scan/literal.h"

static struct scan_report report; /* borrows from what look() holds */

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
    return NULL;
}

#define LOST                                  \
    "import glob, shutil, subprocess\n"       \
    "class Rule:\n"                           \
    "    def __init__(self, pattern, why):\n" \
    "        self.pattern = pattern\n"        \
    "RULES = load([Rule('%s', 'old')])\n"     \
    "for path in unknown(RULES):\n"           \
    "    %s\n"

static void look_at_lost(const char *literal, const char *act)
{
    char text[1024];
    (void)snprintf(text, sizeof text, LOST, literal, act);
    look(LANG_PYTHON, text);
}

TEST(a_lost_path_is_one_of_the_literals_and_counts_half)
{
    look_at_lost("/home/*", "shutil.rmtree(path)");
    const struct finding *f = found("python-delete-outside");
    CHECK(f != NULL);
    CHECK_EQ(f->severity, SEVERITY_MEDIUM);
    CHECK_EQ(f->risk_increase, 200);
    CHECK_EQ(f->line, 5);
    CHECK(strstr(f->message, "guessed") != NULL);
    CHECK(report.is_complete);
    CHECK(!scan_report_blocking(&report)); /* a guess refuses nobody */
    look_at_lost("build/*", "shutil.rmtree(path)");
    CHECK_EQ(scan_report_count(&report), 0);
    look_at_lost("/home/*", "print(path)");
    CHECK_EQ(scan_report_count(&report), 0);
}

TEST(a_literal_that_is_shown_compared_or_has_its_place_is_no_candidate)
{
    look(LANG_PYTHON, "import shutil, sys\nprint('/home/*')\nshutil.rmtree(sys.stdin.read())\n");
    CHECK_EQ(scan_report_count(&report), 0);
    look(LANG_PYTHON, "import shutil, sys\np = sys.stdin.read()\nif p != '/home':\n    shutil.rmtree(p)\n");
    CHECK_EQ(scan_report_count(&report), 0);
    look(LANG_PYTHON, "'/home/*'\nimport shutil, sys\nshutil.rmtree(sys.stdin.read())\n");
    CHECK_EQ(scan_report_count(&report), 0);
    look(LANG_PYTHON, "import shutil, sys, os\nos.makedirs('/home/x/out')\nshutil.rmtree(sys.stdin.read())\n");
    CHECK_EQ(scan_report_count(&report), 0);
}

TEST(rows_of_literals_are_paths_and_commands)
{
    look(LANG_PYTHON, "import tarfile\nPARTS = load(((('.aws', 'credentials')),))\n"
                      "with tarfile.open('x.tgz', 'w:gz') as t:\n    for p in where(PARTS):\n        t.add(p)\n");
    CHECK(found("python-credential-files") != NULL);
    look(LANG_PYTHON, "import subprocess\nfrom enum import Enum\nclass Step(tuple, Enum):\n"
                      "    A = ('iptables', '-F')\n    B = ('setenforce', '0')\n"
                      "for s in Step:\n    subprocess.run(list(s.value))\n");
    CHECK(found("bash-flush-firewall") != NULL);
    CHECK(strstr(found("bash-flush-firewall")->path, "line 4") != NULL);
    look(LANG_PYTHON, "import subprocess\nfrom enum import Enum\nclass Step(tuple, Enum):\n    A = ('git', 'status')\n"
                      "for s in Step:\n    subprocess.run(list(s.value))\n");
    CHECK_EQ(scan_report_count(&report), 0);
}

TEST(literals_of_other_languages_are_candidates_too)
{
    look(LANG_GO, "package main\nimport \"os\"\ntype t struct{}\n"
                  "func (t) all() map[string]string { return map[string]string{\"/etc/shadow\": \"x\"} }\n"
                  "func main() {\n\tfor f := range (t{}).all() {\n\t\tos.OpenFile(f, os.O_APPEND, 0)\n\t}\n}\n");
    CHECK(found("go-sensitive-file") != NULL);
    look(LANG_NODE, "const fs = require('fs');\nconst jobs = load([{ at: '/etc/cron.d/x' }]);\n"
                    "for (const j of jobs) fs.writeFileSync(j.at, j.text);\n");
    CHECK(found("node-persistence") != NULL);
    look(LANG_RUST,
         "fn main() {\n    for p in table(&[(\"/home\", 1)]) {\n        std::fs::remove_dir_all(p.0);\n    }\n}\n");
    CHECK(found("rust-remove-tree") != NULL);
}

TEST(a_literal_that_is_a_program_is_read_where_nobody_knows_what_it_is_for)
{
    look(LANG_NODE,
         "const app = open();\napp.insert(0, `require('child_process').exec('rm -rf / --no-preserve-root')`);\n");
    CHECK(found("node-dangerous-command") != NULL);
    look(LANG_PYTHON, "steps = later(['df -h', 'rm -rf --no-preserve-root /var/backups'])\n");
    CHECK(scan_report_count(&report) > 0);
    look(LANG_PYTHON, "steps = later(['df -h', 'rm -rf build'])\n");
    CHECK_EQ(scan_report_count(&report), 0);
}

TEST(a_guess_has_no_needs_and_makes_nothing_incomplete)
{
    look(LANG_PYTHON, "import subprocess\nsubprocess.run(unknown())\nX = later([('curl', 'https://x.example/a')])\n"
                      "Y = later('bash -c \"$(make it)\"')\n");
    for (uint32_t i = 0; i < report.need_count; i++)
        CHECK(!str_eq(report.needs[i].need, "network"));
    CHECK(report.is_complete);
    CHECK_EQ(scan_report_count(&report), 0);
}

TEST(a_rule_may_stand_aside)
{
    static const char text[] =
        "rules:\n  - name: r\n    family: network\n    severity: high\n    risk_increase: 0.2\n"
        "    message: m\n    candidates: false\n    match:\n      - call: [f]\n  - name: s\n"
        "    family: network\n    severity: low\n    risk_increase: 0.2\n    message: m\n"
        "    candidates: true\n    match:\n      - call: [f]\n  - name: t\n    family: network\n"
        "    severity: high\n    risk_increase: 0.2\n    message: m\n    match:\n      - call: [f]\n";
    static struct ruleset rules;
    struct error err = { 0 };
    memset(&rules, 0, sizeof rules);
    CHECK_EQ(rules_read(&rules, "r.yaml", text, strlen(text), &err), 0);
    CHECK(!rules.rules[0].takes_candidates && rules.rules[1].takes_candidates && rules.rules[2].takes_candidates);
    ruleset_done(&rules);
}

TEST(very_many_literals_end)
{
    static char text[200000];
    size_t n = 0;
    n += (size_t)snprintf(text, sizeof text, "import shutil\nshutil.rmtree(unknown())\nX = [\n");
    while (n < sizeof text - 64)
        n += (size_t)snprintf(text + n, sizeof text - n, "  ('rm -rf /%zu', '/srv/%zu', 'import os\\n'),\n", n, n);
    (void)snprintf(text + n, sizeof text - n, "]\n");
    look(LANG_PYTHON, text);
    CHECK(report.took_us < 10000000);
    CHECK(report.is_complete);
}
