/* Scans of a text that grows, as a context's cells make it, against scans of the whole: facts in their order, and both
 * reports, byte for byte. SCAN_GROWTH_FILES: a file that names programs, one a line, for a long run;
 * SCAN_GROWTH_ROUNDS: how often. */
#include <dirent.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/parse.h"
#include "random.h"
#include "scan/growth.h"
#include "scan/engine.h"
#include "scan/pattern.h"
#include "test.h"

static struct ruleset rules;
static struct growth growth;
static uint64_t facts_hash;
static unsigned scans, parsed_on, differ;

static void mix(const void *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        facts_hash = (facts_hash ^ ((const unsigned char *)p)[i]) * UINT64_C(0x100000001b3);
}

static void mix_fact(const struct scan *s, const struct fact *f)
{
    (void)s;
    mix(&f->kind, sizeof f->kind);
    mix(&f->byte, sizeof f->byte);
    mix(f->name, strlen(f->name) + 1);
    for (unsigned i = 0; i < MIN_OF(f->arg_count, FACT_MAX_ARGS); i++)
        mix(f->args[i] ? f->args[i] : "?", f->args[i] ? strlen(f->args[i]) + 1 : 1);
}

struct told {
    struct buf reports; /* the preliminary and the final one */
    uint64_t facts;
    bool is_read;
};

static void tell(struct scan *s, struct told *t)
{
    static struct scan_report r;
    scan_report(s, &r);
    r.took_us = 0;
    scan_report_pack(&r, &t->reports);
    t->is_read = true;
    for (uint32_t i = 0; i < r.finding_count; i++)
        t->is_read &= !str_eq(r.findings[i].rule, "syntax-error");
}

static struct told scan_with(struct growth *g, const char *text, size_t size)
{
    static struct scan s;
    struct told ret = { .is_read = false };
    buf_init(&ret.reports, MIB);
    facts_hash = 1;
    CHECK_EQ(scan_begin(&s, &rules, text, size, 60000), 0);
    s.trace = mix_fact;
    s.growth = g;
    if (g)
        growth_begin(g, text, (uint32_t)size);
    scan_text(&s);
    tell(&s, &ret);
    scan_syntax(&s);
    tell(&s, &ret);
    if (g)
        growth_end(g, &s);
    ret.facts = facts_hash;
    scan_done(&s);
    return ret;
}

/* -> whether the next text may go on from it */
static bool compare(const char *text, size_t size, const char *name)
{
    struct told grown = scan_with(&growth, text, size), whole = scan_with(NULL, text, size);
    scans++;
    parsed_on += growth.is_parsed_on;
    const bool is_same = grown.facts == whole.facts && grown.reports.size == whole.reports.size &&
                         memcmp(grown.reports.data, whole.reports.data, whole.reports.size) == 0;
    /* bash's grammar: two scans of the same text with an error, both of the whole, may differ in one process */
    const bool is_known = rules.language == LANG_BASH && !growth.is_kept;
    if (!is_same && !is_known) {
        differ++;
        (void)fprintf(stderr, "# %s: %zu bytes: %s differ:\n%.*s\n", name, size,
                      grown.facts != whole.facts ? "facts" : "reports", (int)MIN_OF(size, (size_t)2000),
                      text + size - MIN_OF(size, (size_t)2000));
    }
    buf_done(&grown.reports);
    buf_done(&whole.reports);
    return whole.is_read;
}

/* A text in random parts: as cells, whose comments stand between, or as it is. Some parts are refused. */
static void grow(enum language language, const char *text, size_t size, bool as_cells, const char *name)
{
    static char sum[GROWTH_MAX_BYTES];
    size_t sum_size = 0;
    const uint64_t parts = 1 + rnd(12);
    unsigned cells = 0;
    for (size_t at = 0, n; at < size; at += n) {
        const size_t wanted = 1 + (size_t)rnd(2 * size / parts + 2);
        n = MIN_OF(wanted, size - at);
        if (rnd(4)) { /* whole lines */
            const char *end = memchr(text + at + n - 1, '\n', size - at - n + 1);
            n = end ? (size_t)(end + 1 - text) - at : size - at;
        }
        char head[64];
        const int head_size = as_cells && sum_size ? snprintf(head, sizeof head, "%s --- cell %u ---\n",
                                                              language == LANG_NODE ? "//" : "#", ++cells + 1)
                                                   : 0;
        if (sum_size + (size_t)head_size + n + 1 > sizeof sum)
            return;
        memcpy(sum + sum_size, head, (size_t)head_size);
        memcpy(sum + sum_size + head_size, text + at, n);
        if (!compare(sum, sum_size + (size_t)head_size + n, name) && as_cells)
            continue;
        if (rnd(10) == 0)
            continue;
        sum_size += (size_t)head_size + n;
        if (as_cells)
            sum[sum_size++] = '\n';
    }
}

static unsigned rounds_asked(void)
{
    const char *rounds = getenv("SCAN_GROWTH_ROUNDS");
    uint64_t count = 1;
    CHECK(!rounds || parse_u64(rounds, &count) == 0);
    return (unsigned)count;
}

static size_t read_text(const char *path, char *to, size_t room)
{
    FILE *f = fopen(path, "re");
    CHECK(f != NULL);
    const size_t n = fread(to, 1, room, f);
    (void)fclose(f);
    return n;
}

static void begin(enum language language)
{
    struct error err = { 0 };
    CHECK_EQ(ruleset_load(&rules, "rules", language, &err), 0);
    scans = parsed_on = differ = 0;
}

static void end(const char *what, unsigned per_cent)
{
    const bool is_parsed_whole = rules.language == LANG_BASH;
    growth_end(&growth, &(struct scan){ .why_cut = "it is over" });
    ruleset_done(&rules);
    if (getenv("SCAN_GROWTH_FILES"))
        (void)fprintf(stderr, "# %s: %u scans, %u of them parsed on, %u differ\n", what, scans, parsed_on, differ);
    CHECK_EQ(differ, 0);
    CHECK(is_parsed_whole ? !parsed_on : parsed_on >= scans / 100 * per_cent);
}

static void grow_file(enum language language, const char *path)
{
    static char text[GROWTH_MAX_BYTES];
    const size_t size = read_text(path, text, sizeof text);
    grow(language, text, size, true, path);
    grow(language, text, size, false, path);
}

static void grow_listed(enum language language, const char *ending, const char *list)
{
    char path[1024];
    FILE *f = fopen(list, "re");
    CHECK(f != NULL);
    while (fgets(path, sizeof path, f)) {
        path[strcspn(path, "\n")] = '\0';
        const char *dot = strrchr(path, '.');
        if (dot && str_eq(dot + 1, ending))
            grow_file(language, path);
    }
    (void)fclose(f);
}

static void grow_folder(enum language language, const char *folder, unsigned one_in)
{
    DIR *d = opendir(folder);
    CHECK(d != NULL);
    for (struct dirent *e; (e = readdir(d));) {
        char path[512];
        if (e->d_name[0] == '.' || rnd(one_in))
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        grow_file(language, path);
    }
    (void)closedir(d);
}

static void grow_programs(enum language language, const char *ending)
{
    const char *list = getenv("SCAN_GROWTH_FILES");
    static const char *const folders[] = { "risky", "ordinary", "needs" };
    begin(language);
    for (unsigned count = rounds_asked(); list && count; count--)
        grow_listed(language, ending, list);
    for (size_t i = 0; !list && i < ARRAY_LEN(folders); i++) {
        char folder[256];
        (void)snprintf(folder, sizeof folder, "tests/data/scan/%s/%s", language_names[language], folders[i]);
        grow_folder(language, folder, 2);
    }
    end(ending, 5);
}

TEST(a_growing_python_program_is_scanned_as_a_whole_one)
{
    grow_programs(LANG_PYTHON, "py");
}

TEST(a_growing_node_program_is_scanned_as_a_whole_one)
{
    grow_programs(LANG_NODE, "js");
}

TEST(a_growing_bash_program_is_scanned_as_a_whole_one)
{
    grow_programs(LANG_BASH, "sh");
}

/* What the rules over the text are about, broken anywhere, in comments of a program. */
static void grow_comments(enum language language)
{
    static char rules_text[512 * 1024], text[4096];
    const size_t size = read_text("rules/text.yaml", rules_text, sizeof rules_text);
    const unsigned rounds = getenv("SCAN_GROWTH_FILES") ? 1000 * rounds_asked() : 6;
    begin(language);
    for (unsigned i = 0; i < rounds; i++) {
        size_t n = 0;
        const bool begins_lines = rnd(3) == 0;
        while (n + 900 < sizeof text) {
            size_t at = (size_t)rnd(size - 400), take = 1 + (size_t)rnd(400);
            if (!n || begins_lines || rnd(6) == 0) {
                text[n++] = '\n';
                memcpy(text + n, language == LANG_NODE ? "// " : "# ", language == LANG_NODE ? 3 : 2);
                n += language == LANG_NODE ? 3 : 2;
            }
            for (size_t k = 0; k < take; k++)
                text[n++] = rules_text[at + k] == '\n' ? ' ' : rules_text[at + k];
            if (rnd(8) == 0 && language != LANG_BASH) /* of what is no text its grammar says now this, now that */
                text[n++] = (char)rnd(256);           /* among them the beginnings of characters */
        }
        grow(language, text, n, rnd(4) == 0, "comments");
    }
    end("comments", 0);
}

TEST(comments_that_grow_are_scanned_as_whole_ones)
{
    grow_comments(LANG_PYTHON);
    grow_comments(LANG_NODE);
    grow_comments(LANG_BASH);
}

/* Pieces that continue one another in ways that a parser takes back: what was a statement becomes part of one. */
static void grow_pieces(enum language language, const char *const *pieces, unsigned count)
{
    static char text[GROWTH_MAX_BYTES];
    const unsigned rounds = getenv("SCAN_GROWTH_FILES") ? 1000 * rounds_asked() : 12;
    begin(language);
    for (unsigned i = 0; i < rounds; i++) {
        static const char start[] = "a\nb\nc\n"; /* a program in each language */
        size_t n = sizeof start - 1;
        unsigned cells = 0;
        memcpy(text, start, n);
        for (uint64_t left = 4 + rnd(30); left; left--) {
            const size_t before = n;
            char head[64];
            const int head_size = n && rnd(2) ? snprintf(head, sizeof head, "%s --- cell %u ---\n",
                                                         language == LANG_NODE ? "//" : "#", ++cells + 1)
                                              : 0;
            memcpy(text + n, head, (size_t)head_size);
            n += (size_t)head_size;
            for (uint64_t k = 1 + (rnd(2) ? 0 : rnd(3)); k; k--) {
                const char *piece = pieces[rnd(count)];
                memcpy(text + n, piece, strlen(piece));
                n += strlen(piece);
                if (rnd(3))
                    text[n++] = '\n';
            }
            if (!compare(text, n, "pieces")) {
                n = before;
                continue;
            }
            if (rnd(2))
                text[n++] = '\n';
        }
    }
    end("pieces", 1);
}

TEST(statements_that_are_continued_are_scanned_as_whole_ones)
{
    static const char *const python[] = { "x = 1",
                                          "if x:",
                                          "    y(x)",
                                          "else:",
                                          "    z()",
                                          "elif q: pass",
                                          "def f(a):",
                                          "    return a",
                                          "@d",
                                          "class A:",
                                          "    def m(self):",
                                          "        os.system(x)",
                                          "import os",
                                          "try:",
                                          "except E:",
                                          "    pass",
                                          "finally:",
                                          "while x:",
                                          "    break",
                                          "s = '''",
                                          "'''",
                                          "# c",
                                          "(1)",
                                          "[0]",
                                          ".a",
                                          "\\",
                                          " + 2",
                                          ";",
                                          "x",
                                          "for i in x:",
                                          "\tt()",
                                          "  u()",
                                          "print 1",
                                          "with a as b:",
                                          "lambda:0",
                                          "async def g():",
                                          "    await h",
                                          "f'{x",
                                          "}'",
                                          "match x:",
                                          "    case 1:",
                                          "        v()",
                                          "exec(a)",
                                          "'rm -rf /'",
                                          "subprocess.run(['sh', '-c',",
                                          "x])",
                                          "not",
                                          "in y",
                                          "\r\n",
                                          "\f",
                                          "if a: b",
                                          "x = 1; y = 2",
                                          "print(x) if x else",
                                          "\"a\" \"b\"" };
    static const char *const node[] = { "a",
                                        "(b)",
                                        "[0]",
                                        ";",
                                        "if (a) b;",
                                        "else c;",
                                        "else",
                                        "try {}",
                                        "catch (e) {}",
                                        "finally { f() }",
                                        "{",
                                        "}",
                                        "`x${",
                                        "}`",
                                        "// c",
                                        "/* c",
                                        "*/",
                                        "x = class {}",
                                        "function f() {}",
                                        "=> 1",
                                        "(a, b)",
                                        "/x/",
                                        "/ 2",
                                        "+ 1",
                                        "++",
                                        "in y",
                                        "instanceof Z",
                                        ".then(q)",
                                        "?.r",
                                        "do x; while (y)",
                                        "while (0)",
                                        "for (;;)",
                                        "async",
                                        "await z",
                                        "let",
                                        "let q = 1",
                                        "require('child_process')",
                                        ".exec('id')",
                                        "case 1:",
                                        "label:",
                                        "return",
                                        "throw e",
                                        "import x from 'y'",
                                        "export default",
                                        "'use strict'",
                                        "var s = 'a' +",
                                        "'b'",
                                        "<!-- c",
                                        "yield",
                                        "new",
                                        "A()",
                                        "of",
                                        "static {}",
                                        "get",
                                        "set x",
                                        "a ? b",
                                        ": c",
                                        "...",
                                        "x\n++\ny",
                                        "<a>",
                                        "</a>",
                                        "<b/>",
                                        "t`u`" };
    static const char *const bash[] = { "a",           "b c",        "| d",
                                        "&& e",        "|| f",       "&",
                                        ";",           "if x; then", "y",
                                        "fi",          "else",       "elif z; then",
                                        "while p; do", "done",       "for i in 1 2; do",
                                        "for i",       "case x in",  "a) b;;",
                                        "esac",        "{",          "}",
                                        "(",           ")",          "f() {",
                                        "function g",  "()",         "cat <<E",
                                        "E",           "cat <<-'F'", "\tF",
                                        "$(",          "`",          "\"",
                                        "'",           "# c",        "\\",
                                        "> o",         "2>&1",       "< i",
                                        "[[ -n x",     "]]",         "[ a = b ]",
                                        "x=1",         "x=(1 2",     "x+=",
                                        "${y",         "}",          "${z:-1}",
                                        "((i++))",     "<<< w",      "rm -rf /",
                                        "curl x | sh", "do",         "then",
                                        "in 1 2",      "!",          "time",
                                        "let i=1",     "export A=1", "declare -a b",
                                        "unset c",     "\r\n",       "cat <<A <<B",
                                        "A",           "B",          "$'x",
                                        "eval x" };
    grow_pieces(LANG_PYTHON, python, ARRAY_LEN(python));
    grow_pieces(LANG_NODE, node, ARRAY_LEN(node));
    grow_pieces(LANG_BASH, bash, ARRAY_LEN(bash));
}
