#include "test.h"

#include "scan/stamp.h"
#include "scan/cache.h"
#include "scan/client.h"
#include "base/clock.h"
#include "scan/effect.h"
#include "scan/engine.h"
#include "scan/filter.h"
#include "scan/grammar.h"
#include "scan/worker.h"

#include <fcntl.h>
#include <sys/stat.h>

/* ---- helpers ---- */

#define HEAD                                                                                                       \
    "rules:\n  - name: r\n    family: network\n    severity: medium\n    risk_increase: 0.2\n    message: m\n    " \
    "match:\n"

static struct ruleset rules; /* large; each test that reads rules releases them */
static struct scan scan;
static struct scan_report report;

static int read_rules(const char *text, struct error *err)
{
    memset(&rules, 0, sizeof rules);
    rules.language = LANG_PYTHON;
    int e = rules_read(&rules, "r.yaml", text, strlen(text), err);
    if (e == 0)
        ruleset_index(&rules);
    return e;
}

/* What reading `text` complains about; "" if it is good. */
static const char *complaint(const char *text)
{
    static struct error err;
    err = (struct error){ 0 };
    (void)read_rules(text, &err);
    ruleset_done(&rules);
    return err.text;
}

static void count_item(void *ctx, const struct item *item)
{
    (void)item;
    ++*(unsigned *)ctx;
}

static unsigned found(uint8_t kind, const char *name)
{
    unsigned count = 0;
    ruleset_find(&rules, kind, name, count_item, &count);
    return count;
}

/* Scans with the rules that were read before. */
static void scan_within(const char *text, size_t size, uint32_t timeout_ms)
{
    CHECK(scan_begin(&scan, &rules, text, size, timeout_ms) == 0);
    scan_text(&scan);
    scan_syntax(&scan);
    scan_report(&scan, &report);
}

static void scan_whole(const char *text, size_t size)
{
    scan_within(text, size, 60000); /* more than it ever takes, on a loaded machine, too */
}

static bool has_rule(const char *name)
{
    for (uint32_t i = 0; i < report.finding_count; i++)
        if (str_eq(report.findings[i].rule, name))
            return true;
    return false;
}

/* ---- rules ---- */

TEST(known_functions_are_found_by_name_and_by_beginning)
{
    for (int l = 0; l < LANG_COUNT; l++) {
        size_t n;
        const struct known *k = effect_table((enum language)l, &n);
        CHECK(n > 20);
        for (size_t i = 0; i < n; i++) {
            CHECK(i == 0 || strcmp(k[i - 1].name, k[i].name) < 0);
            CHECK(effect_find((enum language)l, k[i].name, strlen(k[i].name)) == &k[i]);
        }
    }
    CHECK(!effect_find(LANG_PYTHON, "os.systems", 10));
    CHECK(!effect_find(LANG_PYTHON, "os.sys", 6));
    CHECK(!effect_find(LANG_PYTHON, "", 0));
    CHECK(effect_find(LANG_PYTHON, "os.system()", 9)); /* names need no NUL */
    CHECK(effect_has_below(LANG_RUST, "std::fs"));
    CHECK(!effect_has_below(LANG_RUST, "std::f"));
    struct effects all = effects_of(LANG_NODE, "fs.unlinkSync", 13);
    CHECK(effects_has(&all, EF_REMOVE) && effects_has(&all, EF_QUIET) && !effects_has(&all, EF_READ));
    all = effects_of(LANG_NODE, "axios().post", 12); /* «axios...» */
    CHECK(effects_has(&all, EF_SEND));
    all = effects_of(LANG_NODE, "axiosity", 8);
    CHECK(!effects_has(&all, EF_SEND));
}

TEST(a_rule_with_every_kind_of_item_is_read)
{
    struct error err = { 0 };
    CHECK(
        read_rules(
            HEAD
            "      - call: [os.system, \"subprocess.*\"]\n        arg0: a\n        dynamic: true\n      - import: pty\n"
            "      - name: [os.environ]\n      - string: x\n      - redirect: \">\"\n        arg: y\n        no-arg: "
            "z\n"
            "      - pipe: [sh]\n      - flow: [f]\n      - text: t\n      - query: \"(call) @c\"\n",
            &err) == 0);
    CHECK_EQ(rules.rule_count, 1);
    CHECK_EQ(rules.rules[0].risk_increase, 200);
    CHECK_EQ(found(FACT_CALL, "os.system"), 1);
    CHECK_EQ(found(FACT_CALL, "os.systems"), 0);
    CHECK_EQ(found(FACT_CALL, "subprocess.run"), 1);
    CHECK_EQ(found(FACT_CALL, "subprocess."), 1);
    CHECK_EQ(found(FACT_CALL, "subprocess"), 0);
    CHECK_EQ(found(FACT_NAME, "os.system"), 0);
    CHECK_EQ(found(FACT_IMPORT, "pty"), 1);
    CHECK(ruleset_check(&rules, &err) == 0);
    ruleset_done(&rules);
}

TEST(a_mistake_in_a_rule_is_told_with_file_and_line)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        { "", "expected" },
        { "rules: 1\n", "expected a list of rules" },
        { "rulez:\n", "unknown key 'rulez'" },
        { "rules:\n  - name: a\n", "has no family" },
        { "rules:\n  - name: a\n    name: b\n", "r.yaml:3: name is given twice" },
        { "rules:\n  - nam: a\n", "unknown key 'nam'" },
        { "rules:\n  - &x\n    name: a\n", "alias, anchor or tag" },
        { "rules:\n  - name: !!str a\n", "alias, anchor or tag" },
        { "%YAML 1.1\n---\nrules: []\n", "a directive" },
        { "rules:\n  - name: a\n    severity: bad\n", "severity: unknown value 'bad'" },
        { "rules:\n  - name: a\n    risk_increase: 2\n", "between 0 and 1" },
        { "rules:\n  - name: a\n    languages: [perl]\n", "expected python, node" },
        { "rules:\n  - match: []\n", "before the rule's name" },
        { HEAD "      - cal: x\n", "unknown key 'cal'" },
        { HEAD "      - call: x\n        import: y\n", "another kind already" },
        { HEAD "      - call: \"*.x\"\n", "at the end only" },
        { HEAD "      - dynamic: true\n", "nothing to look for" },
        { HEAD "      - call: x\n        dynamic: maybe\n", "expected true" },
        { HEAD "      - call: x\n        call: x\n", "given twice" },
        { HEAD "      - call: x\n  - name: r\n    family: network\n    severity: low\n    risk_increase: 0\n    "
               "message: m\n    match: []\n",
          "taken by another rule" },
        { "rules:\n  - name: r\n    family: network\n    severity: info\n    risk_increase: 0.1\n    message: m\n    "
          "match: []\n",
          "must be 0" },
        { "rules:\n  - name: r\n    need: network\n    severity: low\n    message: m\n    match: []\n",
          "a need is a fact" },
        { "rules:\n  - name: r\n    need: peace\n", "need: unknown value 'peace'" },
        { "rules:\n  - name: r\n    with: [a, b, c, d, e, f, g, h, i]\n", "with: more than 8" },
        { "rules: []\nmore: 1\n", "no other key" },
        { HEAD "      - text: \"{nowhere}\"\n", "no list of that name" },
        { "lists:\n  a: x\n  a: y\n", "given twice" },
        { "lists:\n  a: \"{b}\"\n  b: x\n", "no list of that name before" },
        { "rules: []\n---\nrules: []\n", "a single document" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        const char *said = complaint(cases[i].text);
        if (!strstr(said, cases[i].expected))
            (void)fprintf(stderr, "# case %zu: «%s», not «%s»\n", i, said, cases[i].expected);
        CHECK(strstr(said, cases[i].expected));
    }
}

TEST(a_regex_or_query_that_is_none_is_found_by_the_check)
{
    struct error err = { 0 };
    CHECK(read_rules(HEAD "      - text: \"(\"\n", &err) == 0);
    CHECK(ruleset_check(&rules, &err) < 0 && strstr(err.text, "is not one"));
    ruleset_done(&rules);
    CHECK(read_rules(HEAD "      - query: \"(nonsense) @x\"\n", &err) == 0);
    CHECK(ruleset_check(&rules, &err) < 0 && strstr(err.text, "node type"));
    ruleset_done(&rules);
    CHECK(read_rules(HEAD "      - query: \"((call) @x (#is-odd? @x))\"\n", &err) == 0);
    CHECK(ruleset_check(&rules, &err) < 0 && strstr(err.text, "is-odd?"));
    ruleset_done(&rules);
}

TEST(patterns_of_the_configuration_become_rules)
{
    struct error err = { 0 };
    struct strlist records = { 0 };
    CHECK(strlist_add(&records, "name=rm\x1fregex=rm -rf\x1frisk_increase=0.5") == 0);
    CHECK(read_rules("rules: []\n", &err) == 0 && ruleset_add_patterns(&rules, &records, &err) == 0);
    scan_whole("x = 'rm -rf /'\n", 15);
    CHECK_EQ(report.finding_count, 1);
    CHECK_STR(report.findings[0].rule, "rm");
    CHECK_EQ(report.findings[0].severity, SEVERITY_HIGH);
    CHECK_EQ(report.risk_increase, 500);
    scan_done(&scan);
    ruleset_done(&rules);
    strlist_done(&records);
    CHECK(strlist_add(&records, "name=bad\x1fregex=(") == 0);
    CHECK(read_rules("rules: []\n", &err) == 0 && ruleset_add_patterns(&rules, &records, &err) < 0);
    CHECK(err.blame == BLAME_CALLER && strstr(err.text, "bad"));
    ruleset_done(&rules);
    strlist_done(&records);
}

/* ---- patterns ---- */

TEST(a_pattern_finds_what_stands_far_into_a_text)
{
    static char text[100000];
    size_t at = 0;
    struct pattern p = { .source = "needle[0-9]" };
    memset(text, 'a', sizeof text);
    CHECK_EQ(pattern_find(&p, text, sizeof text, 0, &at), PATTERN_NONE);
    memcpy(text + 90000, "needle7", 7);
    CHECK_EQ(pattern_find(&p, text, sizeof text, 0, &at), PATTERN_FOUND);
    CHECK_EQ(at, 90000);
    CHECK_EQ(pattern_find(&p, text, sizeof text, at + 1, &at), PATTERN_NONE);
    pattern_done(&p);
}

/* That we have used: other programs run, too. */
static uint64_t processor_us(void)
{
    return clock_read_us(CLOCK_THREAD_CPUTIME_ID);
}

TEST(a_pattern_that_would_take_for_ever_gives_up)
{
    static char text[1 << 20];
    struct pattern p = { .source = "(a+)+$" };
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = 'b';
    uint64_t begun = processor_us();
    pattern_set_deadline(clock_cpu_us() + 100000);
    CHECK_EQ(pattern_matches(&p, text, sizeof text), PATTERN_GAVE_UP);
    CHECK(processor_us() - begun < 2000000);
    pattern_set_deadline(0);
    pattern_done(&p);
}

TEST(time_in_which_others_compute_is_not_the_scan_s)
{
    static const char text[] = "import math\nprint(math.pi)\n";
    const struct timespec busy = { .tv_nsec = 300000000 };
    struct error err = { 0 };
    CHECK_EQ(ruleset_load(&rules, "rules", LANG_PYTHON, &err), 0);
    CHECK_EQ(scan_begin(&scan, &rules, text, strlen(text), 200), 0);
    (void)nanosleep(&busy, NULL);
    scan_text(&scan);
    scan_syntax(&scan);
    scan_report(&scan, &report);
    CHECK(report.is_complete);
    scan_done(&scan);
    ruleset_done(&rules);
}

TEST(the_filter_asks_for_the_rarest_part)
{
    /* «read» stands in many a program: of the two groups the second says what is looked for */
    static struct filter f;
    filter_add(&f, 0, "(read|list)\\(.{0,99}(locked|wncry)");
    CHECK(!filter_may(filter_scan(&f, "read(list)", 10), 0) && filter_may(filter_scan(&f, "a.wncry", 7), 0));
    memset(&f, 0, sizeof f);
    filter_add(&f, 0, "then.{0,99}(wncry|kqwz)");
    CHECK(!filter_may(filter_scan(&f, "then x", 6), 0) && filter_may(filter_scan(&f, "x kqwz", 6), 0));
}

TEST(the_filter_lets_no_match_pass_by)
{
    static const struct {
        const char *regex, *text;
        bool must_filter; /* so that a text without any of it needs no look */
    } cases[] = { { "(?i)stratum", "a STRATUM b", true },
                  { "(?i)xmrig|minerd?", "mineR", true },
                  { "a(bcde|fghi)+j", "afghij", true },
                  { "wor?d+word", "wodword", true },
                  { "[abc]xyz0{2}", "axyz00", true },
                  { "x*yzab", "yzab", true },
                  { "(?:abcd)?ef", "ef", false },
                  { "ab|c", "c", false },
                  { "abcd|.", "x", false },
                  { "\\x41bcd", "Abcd", false },
                  { "\\babcd\\b", "abcd", true },
                  { "a\\.bcd", "a.bcd", true },
                  { "(?x)a b c d", "abcd", false },
                  { "abcde?", "abcd", true },
                  { "abcd*e", "abce", false },
                  { "(?!abcd)x", "x", false },
                  { "[[:alpha:]]bcde", "abcde", false },
                  { "(abcd){0,2}z", "z", false },
                  { "(abcd){2}z", "abcdabcdz", true },
                  { "(read|list).{0,9}(locked|wncry)", "read x.locked", true },
                  { "(os_walk|x)y.{0,9}(locked|wncry)", "xy.wncry", true },
                  { "(?#abcd)z", "z", false },
                  { "a|(b|cdef)", "b", false } };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        static struct filter f;
        struct pattern p = { .source = cases[i].regex };
        memset(&f, 0, sizeof f);
        filter_add(&f, 67, cases[i].regex);
        CHECK_EQ(pattern_matches(&p, cases[i].text, strlen(cases[i].text)), PATTERN_FOUND);
        bool may = filter_may(filter_scan(&f, cases[i].text, strlen(cases[i].text)), 67);
        bool is_filtered = !filter_may(filter_scan(&f, "-", 1), 67);
        if (!may || is_filtered != cases[i].must_filter)
            (void)fprintf(stderr, "# %s\n", cases[i].regex);
        CHECK(may && is_filtered == cases[i].must_filter);
        pattern_done(&p);
    }
}

/* ---- a scan ---- */

TEST(a_finding_says_where_it_is_in_characters)
{
    static const char text[] = "x = 1\n\ty = 'Gr\xc3\xbc\xc3\x9f needle'\n";
    struct error err = { 0 };
    CHECK(read_rules(HEAD "      - text: needle\n", &err) == 0);
    scan_whole(text, sizeof text - 1);
    CHECK_EQ(report.finding_count, 1);
    CHECK_EQ(report.findings[0].line, 2);
    CHECK_EQ(report.findings[0].column, 12);
    CHECK_STR(report.findings[0].text, "y = 'Gr\xc3\xbc\xc3\x9f needle'");
    CHECK_EQ(report.findings[0].text_at, 12);
    scan_done(&scan);
    ruleset_done(&rules);
}

TEST(an_excerpt_of_a_long_line_is_short_printable_and_around_the_place)
{
    static char text[20000];
    struct error err = { 0 };
    memset(text, '\xff', sizeof text);
    memcpy(text + 10000, "needle\033[2J", 10);
    CHECK(read_rules(HEAD "      - text: needle\n", &err) == 0);
    scan_whole(text, sizeof text);
    const struct finding *f = scan_report_worst(&report);
    CHECK(f && strlen(f->text) <= SCAN_MAX_EXCERPT);
    CHECK(strncmp(f->text + f->text_at, "needle?[2J", 10) == 0);
    scan_done(&scan);
    ruleset_done(&rules);
}

TEST(a_rule_is_reported_at_most_three_times_and_counted_once)
{
    static const char text[] = "needle\nneedle needle\nneedle\nneedle\n";
    struct error err = { 0 };
    CHECK(read_rules(HEAD "      - text: needle\n", &err) == 0);
    scan_whole(text, sizeof text - 1);
    CHECK_EQ(report.finding_count, 3);
    CHECK_EQ(report.findings[0].line, 1);
    CHECK_EQ(report.findings[1].line, 2);
    CHECK_EQ(report.findings[2].line, 3);
    CHECK_EQ(report.risk_increase, 200);
    scan_done(&scan);
    ruleset_done(&rules);
}

TEST(what_a_program_needs_is_told_beside_the_findings_and_raises_nothing)
{
    static const char rules_text[] = HEAD
        "      - text: needle\n  - name: n\n    need: network\n    message: m\n    match:\n      - text: thread\n"
        "  - name: o\n    need: network\n    message: m\n    match:\n      - text: thread\n"
        "  - name: p\n    need: programs\n    message: m\n    match:\n      - text: spool\n";
    static const char text[] = "spool\nthread\nthread\n";
    struct error err = { 0 };
    char words[256];
    CHECK(read_rules(rules_text, &err) == 0);
    scan_whole(text, sizeof text - 1);
    CHECK_EQ(report.finding_count, 0);
    CHECK_EQ(report.risk_increase, 0);
    CHECK_EQ(report.need_count, 3); /* each rule once, where it was seen first */
    CHECK_STR(report.needs[0].rule, "p");
    CHECK_EQ(report.needs[1].line, 2);
    CHECK_EQ(scan_report_needs(&report, words), 2);
    CHECK_STR(words, "programs, network");
    scan_done(&scan);
    ruleset_done(&rules);
}

TEST(a_rule_that_wants_company_counts_only_with_it)
{
    static const char rules_text[] = HEAD
        "      - text: needle\n    with: [network, x]\n  - name: n\n    need: network\n    message: m\n    match:\n"
        "      - text: thread\n  - name: x\n    need: code\n    message: m\n    match:\n      - text: cloth\n";
    static const struct {
        const char *text;
        uint32_t risk;
    } cases[] = { { "needle", 0 }, { "thread", 0 }, { "needle thread", 200 }, { "cloth needle", 200 } };
    struct error err = { 0 };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        CHECK(read_rules(rules_text, &err) == 0);
        scan_whole(cases[i].text, strlen(cases[i].text));
        CHECK_EQ(report.risk_increase, cases[i].risk);
        CHECK_EQ(report.finding_count, cases[i].risk ? 1 : 0);
        scan_done(&scan);
        ruleset_done(&rules);
    }
    CHECK(read_rules(HEAD "      - text: a\n    with: [absent]\n", &err) == 0);
    CHECK(ruleset_check(&rules, &err) < 0 && strstr(err.text, "is called absent"));
    ruleset_done(&rules);
}

TEST(a_rule_that_another_explains_counts_only_without_it)
{
    static const char rules_text[] = HEAD
        "      - text: needle\n    without: [network]\n  - name: n\n    need: network\n    message: m\n    match:\n"
        "      - text: thread\n";
    static const struct {
        const char *text;
        uint32_t risk;
    } cases[] = { { "needle", 200 }, { "thread", 0 }, { "needle thread", 0 }, { "thread needle", 0 } };
    struct error err = { 0 };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        CHECK(read_rules(rules_text, &err) == 0);
        scan_whole(cases[i].text, strlen(cases[i].text));
        CHECK_EQ(report.risk_increase, cases[i].risk);
        CHECK_EQ(report.finding_count, cases[i].risk ? 1 : 0);
        scan_done(&scan);
        ruleset_done(&rules);
    }
    CHECK(read_rules(HEAD "      - text: a\n    without: [absent]\n", &err) == 0);
    CHECK(ruleset_check(&rules, &err) < 0 && strstr(err.text, "without: no rule"));
    ruleset_done(&rules);
}

static unsigned severity_of_talk(const char *program)
{
    static const char text[] = HEAD "      - import: [socket]\n  - name: t\n    talk: true\n    family: credentials\n  "
                                    "  severity: high\n    risk_increase: 0.5\n"
                                    "    message: m\n    match:\n      - string: bad-thing\n";
    struct error err = { 0 };
    CHECK(read_rules(text, &err) == 0);
    scan_whole(program, strlen(program));
    unsigned severity = 99;
    for (uint32_t i = 0; i < report.finding_count; i++)
        if (str_eq(report.findings[i].rule, "t"))
            severity = report.findings[i].severity;
    CHECK((report.risk_increase >= 500) == (severity == SEVERITY_HIGH));
    scan_done(&scan);
    ruleset_done(&rules);
    return severity;
}

TEST(a_program_that_only_talks_of_a_thing_is_information)
{
    static const char *const talk[] = { "x = 'bad-thing'", "for x in ['bad-thing']:\n    print(x)",
                                        "words.append('bad-thing')", "logging.info('bad-thing')" };
    static const char *const meant[] = { "import socket\nx = 'bad-thing'", "open('x', 'w').write('bad-thing')",
                                         "thing.perform('bad-thing')",     "x = 'bad-thing'\nthing.perform(x)",
                                         "x = 'bad-thing'\nthing.run(y)",  "x = 'bad-thing'\n) (" };
    if (!grammar_of(LANG_PYTHON)->language)
        SKIP("the grammar was not there when this was built: npm ci");
    for (size_t i = 0; i < ARRAY_LEN(talk); i++)
        CHECK_EQ(severity_of_talk(talk[i]), SEVERITY_INFO);
    for (size_t i = 0; i < ARRAY_LEN(meant); i++)
        CHECK_EQ(severity_of_talk(meant[i]), SEVERITY_HIGH);
}

TEST(queries_with_predicates_find_nodes)
{
    struct error err = { 0 };
    CHECK(read_rules(HEAD "      - query: \"((call function: (identifier) @f) (#eq? @f \\\"danger\\\"))\"\n", &err) ==
          0);
    CHECK(ruleset_check(&rules, &err) == 0);
    scan_whole("safe()\nx = danger(1)\n", 21);
    if (!report.has_syntax) {
        scan_done(&scan);
        ruleset_done(&rules);
        SKIP("built without grammars");
    }
    CHECK_EQ(report.finding_count, 1);
    CHECK_EQ(report.findings[0].line, 2);
    CHECK_EQ(report.findings[0].column, 5);
    scan_done(&scan);
    ruleset_done(&rules);
}

static void scan_hostile(enum language language, const char *unit, size_t times)
{
    struct error err = { 0 };
    size_t n = strlen(unit);
    char *text = malloc(n * times);
    CHECK(text && read_rules("rules: []\n", &err) == 0);
    rules.language = language;
    for (size_t i = 0; i < times; i++)
        memcpy(text + i * n, unit, n);
    uint64_t begun = processor_us();
    scan_within(text, n * times, 2000);
    CHECK(processor_us() - begun < 10 * 1000000); /* 2 s by design; sanitizers are slower */
    CHECK(!report.is_complete && has_rule("scan-incomplete"));
    scan_done(&scan);
    ruleset_done(&rules);
    free(text);
}

TEST(brackets_100000_deep_end_in_a_finding_and_damage_nothing)
{
    static const char *const units[] = { "(", "[", "{" };
    for (unsigned language = 0; language < LANG_COUNT; language++)
        for (size_t i = 0; i < ARRAY_LEN(units); i++)
            scan_hostile((enum language)language, units[i], 100000);
}

/* ---- reports ---- */

static void sample_report(struct scan_report *r)
{
    *r = (struct scan_report){ .finding_count = 2,
                               .need_count = 1,
                               .name_count = 1,
                               .is_complete = true,
                               .has_syntax = true,
                               .risk_increase = 700,
                               .took_us = 12,
                               .rules_id = "0123",
                               .shape = "0123456789abcdef-0123456789abcdef-17" };
    r->findings[0] = (struct finding){ .rule = "a",
                                       .family = "network",
                                       .message = "m",
                                       .text = "x y",
                                       .path = "here-document at line 3, python, line 2",
                                       .line = 3,
                                       .column = 1,
                                       .risk_increase = 700,
                                       .severity = SEVERITY_HIGH };
    r->findings[1] = (struct finding){ .rule = "b",
                                       .family = "network",
                                       .message = "m",
                                       .text = "",
                                       .path = "",
                                       .line = 1,
                                       .column = 1,
                                       .severity = SEVERITY_INFO };
    r->needs[0] = (struct scan_need){
        .need = "network", .rule = "n", .message = "m", .text = "x y", .line = 2, .column = 1, .text_at = 2
    };
    r->names[0] = (struct scan_name){ .name = "os", .line = 1, .column = 8, .kind = NAME_MODULE };
}

static int repack(const struct scan_report *r, struct scan_report *ret, struct buf *b)
{
    buf_init(b, FRAME_MAX_BYTES);
    scan_report_pack(r, b);
    return scan_report_unpack(b->data, b->size, ret);
}

TEST(a_report_arrives_as_it_was_sent)
{
    static struct scan_report sent, got;
    struct buf b;
    sample_report(&sent);
    CHECK(repack(&sent, &got, &b) == 0);
    CHECK_EQ(got.finding_count, 2);
    CHECK_STR(got.findings[0].rule, "a");
    CHECK_EQ(got.findings[0].line, 3);
    CHECK_STR(got.needs[0].need, "network");
    CHECK_STR(got.names[0].name, "os");
    CHECK_EQ(scan_report_count(&got), 1);
    CHECK_STR(scan_report_worst(&got)->rule, "a");
    for (size_t n = 0; n < b.size; n++)
        CHECK(scan_report_unpack(b.data, n, &got) == -EBADMSG);
    buf_done(&b);
}

TEST(a_report_that_lies_about_its_form_is_refused)
{
    static struct scan_report sent, got;
    struct buf b;
    static const char *const texts[] = { "\xff", "a\033[2J", "a\nb", "\xe2\x80\xae" };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
        sample_report(&sent);
        sent.findings[0].text = texts[i];
        CHECK(repack(&sent, &got, &b) == -EBADMSG);
        buf_done(&b);
        sample_report(&sent);
        sent.names[0].name = texts[i];
        CHECK(repack(&sent, &got, &b) == -EBADMSG);
        buf_done(&b);
    }
#define REFUSED(change)                             \
    do {                                            \
        sample_report(&sent);                       \
        change;                                     \
        CHECK(repack(&sent, &got, &b) == -EBADMSG); \
        buf_done(&b);                               \
    } while (0)
    REFUSED(sent.findings[0].severity = SEVERITY_COUNT);
    REFUSED(sent.findings[0].risk_increase = 1001);
    REFUSED(sent.findings[1].risk_increase = 1);
    REFUSED(sent.findings[0].text_at = 4);
    REFUSED(sent.findings[0].line = 0);
    REFUSED(sent.findings[0].rule = NULL);
    REFUSED(sent.findings[0].rule = "");
    REFUSED(sent.needs[0].need = "");
    REFUSED(sent.needs[0].need = "a word of twenty bytes");
    REFUSED(sent.needs[0].rule = "a\033");
    REFUSED(sent.needs[0].text_at = 4);
    REFUSED(sent.needs[0].column = 0);
    REFUSED(sent.risk_increase = 1001);
    REFUSED(sent.names[0].kind = NAME_KINDS);
    REFUSED(sent.rules_id = NULL);
    REFUSED(sent.shape = NULL);
    REFUSED(sent.shape = "0123456789abcdef");
    REFUSED(sent.shape = "0123456789abcdef-0123456789abcdeX-17");
    REFUSED(sent.shape = "0123456789abcdef-0123456789abcdef-");
    REFUSED(sent.shape = "0123456789abcdef-0123456789abcdef-123456");
}

TEST(an_incomplete_scan_has_its_finding_even_when_the_list_is_full)
{
    static struct scan_report r;
    sample_report(&r);
    scan_report_cut(&r, "late");
    CHECK_EQ(r.finding_count, 3);
    CHECK_STR(r.findings[1].rule, "scan-incomplete"); /* behind high, before information */
    CHECK_EQ(r.risk_increase, 1000);
    scan_report_cut(&r, "late again");
    CHECK_EQ(r.finding_count, 3);
    sample_report(&r);
    for (r.finding_count = 0; r.finding_count < SCAN_MAX_FINDINGS; r.finding_count++)
        r.findings[r.finding_count] = (struct finding){ .rule = "x",
                                                        .family = "f",
                                                        .message = "m",
                                                        .text = "",
                                                        .line = 1,
                                                        .column = 1,
                                                        .severity = SEVERITY_CRITICAL };
    scan_report_cut(&r, "late");
    CHECK_EQ(r.finding_count, SCAN_MAX_FINDINGS);
    CHECK_STR(r.findings[SCAN_MAX_FINDINGS - 1].rule, "scan-incomplete");
}

/* ---- commands ---- */

TEST(the_text_of_an_interpreters_option_is_found)
{
    static const struct {
        const char *argv[9];
        int language;     /* -1: nothing to scan */
        const char *text; /* NULL: it is the program's input */
    } cases[] = {
        { { "bash", "-c", "id" }, LANG_BASH, "id" },
        { { "/bin/sh", "-ec", "id" }, LANG_BASH, "id" },
        { { "bash", "-lc", "id", "name" }, LANG_BASH, "id" },
        { { "bash", "-c", "-x", "id" }, LANG_BASH, "id" },
        { { "bash", "--norc", "-o", "pipefail", "-c", "id" }, LANG_BASH, "id" },
        { { "bash", "--rcfile", "x", "-c", "id" }, LANG_BASH, "id" },
        { { "bash", "-c", "--", "id" }, LANG_BASH, "id" },
        { { "bash", "script.sh", "-c", "id" }, -1, NULL },
        { { "env", "X=Y", "bash", "-lc", "id" }, LANG_BASH, "id" },
        { { "/usr/bin/env", "-i", "python3", "-c", "pass" }, LANG_PYTHON, "pass" },
        { { "timeout", "5", "nice", "-n", "3", "python3.11", "-Ic", "pass" }, LANG_PYTHON, "pass" },
        { { "python3", "-cpass" }, LANG_PYTHON, "pass" },
        { { "python3", "-W", "ignore", "-c", "pass" }, LANG_PYTHON, "pass" },
        { { "python3", "-m", "http.server", "-c", "x" }, -1, NULL },
        { { "python3", "a.py", "-c", "x" }, -1, NULL },
        { { "node", "-e", "1" }, LANG_NODE, "1" },
        { { "node", "--eval=1" }, LANG_NODE, "1" },
        { { "nodejs", "--print", "1" }, LANG_NODE, "1" },
        { { "node", "-pe", "1" }, LANG_NODE, "1" },
        { { "node", "-r", "x", "-p", "1" }, LANG_NODE, "1" },
        { { "node", "a.js" }, -1, NULL },
        { { "ls", "-c", "x" }, -1, NULL },
        { { "bash", "-c" }, -1, NULL },
        { { "bash" }, LANG_BASH, NULL },
        { { "bash", "--norc", "-i" }, LANG_BASH, NULL },
        { { "sh", "-s", "word" }, LANG_BASH, NULL },
        { { "sh", "-es", "--", "word" }, LANG_BASH, NULL },
        { { "sh", "--", "script.sh" }, -1, NULL },
        { { "python3", "-" }, LANG_PYTHON, NULL },
        { { "python3", "-s", "a.py" }, -1, NULL },
        { { "nice", "node", "-", "word" }, LANG_NODE, NULL },
        { { NULL }, -1, NULL },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct strlist argv = { 0 };
        enum language language = LANG_COUNT;
        const char *text = NULL;
        for (size_t k = 0; cases[i].argv[k]; k++)
            CHECK(strlist_add(&argv, cases[i].argv[k]) == 0);
        const enum command_program where = scan_command_text(&argv, &language, &text);
        const enum command_program expected = cases[i].language < 0 ? COMMAND_NONE
                                              : cases[i].text       ? COMMAND_TEXT
                                                                    : COMMAND_INPUT;
        if (where != expected)
            (void)fprintf(stderr, "# case %zu: %d\n", i, (int)where);
        CHECK_EQ(where, expected);
        if (where != COMMAND_NONE)
            CHECK_EQ(language, cases[i].language);
        if (where == COMMAND_TEXT)
            CHECK_STR(text, cases[i].text);
        strlist_done(&argv);
    }
}

/* ---- what is kept ---- */

static void head_of(const char *code, const struct strlist *patterns, struct buf *ret)
{
    const struct scan_cache_key k = { .rules_id = "1",
                                      .program = "/bin/true",
                                      .language = LANG_PYTHON,
                                      .patterns = patterns,
                                      .code = code,
                                      .code_size = strlen(code) };
    scan_cache_head(&k, ret);
}

static bool is_kept(const char *dir, const struct buf *head)
{
    void *bytes = NULL;
    size_t size = 0;
    bool kept = scan_cache_find(dir, head, &bytes, &size) == 1;
    if (kept)
        CHECK(size == 6 && memcmp(bytes, "report", 6) == 0);
    free(bytes);
    return kept;
}

static void write_rules(const char *dir, char what)
{
    char path[128];
    for (unsigned i = 0; i < STAMP_RULE_FILES; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", dir, stamp_rule_file(i));
        FILE *f = fopen(path, "w");
        CHECK(f != NULL);
        (void)fprintf(f, "# %c\n", what);
        (void)fclose(f);
    }
}

TEST(the_stamp_of_rules_is_what_their_reader_says_and_follows_a_change_at_once)
{
    struct ruleset r;
    struct error err = { 0 };
    char id[24], again[24], dir[] = "/tmp/test-stamp-XXXXXX", path[128];
    CHECK_EQ(ruleset_load(&r, "rules", LANG_BASH, &err), 0);
    stamp_rules("rules", id);
    stamp_rules("rules", again); /* of files that have not changed for a while: from memory */
    CHECK_STR(id, r.id);
    CHECK_STR(again, r.id);
    ruleset_done(&r);
    CHECK(mkdtemp(dir) != NULL);
    for (char what = 'a'; what < 'g'; what++) { /* as long as before, and within a tick of the clock */
        write_rules(dir, what);
        stamp_rules(dir, again);
        CHECK(!str_eq(id, again));
        memcpy(id, again, sizeof id);
    }
    stamp_rules("rules", again);
    stamp_rules(dir, again);
    CHECK_STR(id, again);
    for (unsigned i = 0; i < STAMP_RULE_FILES; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", dir, stamp_rule_file(i));
        (void)unlink(path);
    }
    (void)rmdir(dir);
}

TEST(a_report_is_kept_for_exactly_this_code_and_these_patterns)
{
    char dir[] = "/tmp/sandbox-scan-XXXXXX", path[4096], command[4200];
    struct buf one, two, three;
    struct strlist patterns = { 0 };
    CHECK(mkdtemp(dir) && strlist_add(&patterns, "name=x\x1fregex=y") == 0);
    head_of("pass", NULL, &one);
    head_of("pasS", NULL, &two);
    head_of("pass", &patterns, &three);
    CHECK(!is_kept(dir, &one));
    scan_cache_keep(dir, &one, "report", 6);
    CHECK(is_kept(dir, &one) && !is_kept(dir, &two) && !is_kept(dir, &three));
    /* the same name, other bytes: as if the checksums were equal */
    (void)snprintf(command, sizeof command,
                   "cd %s/scan && for f in *; do printf x | dd of=$f bs=1 seek=40 conv=notrunc status=none; done", dir);
    CHECK(system(command) == 0 && !is_kept(dir, &one));
    scan_cache_keep(dir, &one, "report", 6);
    CHECK(is_kept(dir, &one));
    (void)snprintf(path, sizeof path, "%s/scan", dir);
    CHECK(chmod(path, 0770) == 0 && !is_kept(dir, &one));
    CHECK(chmod(path, 0700) == 0 && is_kept(dir, &one));
    (void)snprintf(command, sizeof command, "chmod 666 %s/scan/*", dir);
    CHECK(system(command) == 0 && !is_kept(dir, &one));
    (void)snprintf(command, sizeof command,
                   "chmod 600 %s/scan/*; cd %s/scan && for f in *; do mv $f ../$f; ln -s ../$f $f; done", dir, dir);
    CHECK(system(command) == 0 && !is_kept(dir, &one));
    (void)snprintf(command, sizeof command, "rm -r %s", dir);
    CHECK(system(command) == 0);
    strlist_done(&patterns);
    buf_done(&one);
    buf_done(&two);
    buf_done(&three);
}

TEST(an_error_of_the_worker_arrives_and_is_printable)
{
    struct error err = { 0 }, got = { 0 };
    struct buf b;
    (void)err_set(&err, -EINVAL, BLAME_HOST, "RULES", "python.yaml:3: \033bad");
    buf_init(&b, 4096);
    worker_error_pack(&err, &b);
    CHECK(worker_error_unpack(b.data, b.size, &got) == 0);
    CHECK_EQ(got.code, -EINVAL);
    CHECK_STR(got.text, "python.yaml:3: ?bad");
    CHECK(worker_error_unpack(b.data, b.size - 1, &got) < 0);
    buf_done(&b);
}
