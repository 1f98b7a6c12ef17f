/* sandbox-scan: reads hostile text, so that no other process has to. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include "base/json.h"
#include "base/parse.h"
#include "base/clock.h"
#include "scan/engine.h"
#include "scan/grammar.h"
#include "scan/growth.h"
#include "scan/memory.h"
#include "scan/print.h"
#include "scan/stamp.h"
#include "scan/worker_main.h"

struct arguments {
    const char *rules_dir, *language, *timeout;
    const char **files;
    unsigned file_count;
    bool facts, check, worker, stay, bench, pieces, version;
};

static void usage(void)
{
    (void)fputs("sandbox-scan --file FILE [--file FILE]... --language python|node|bash|go|rust [--rules DIR] "
                "[--facts | --pieces | --bench] [--timeout MS]\n"
                "sandbox-scan --check [--rules DIR]\n"
                "sandbox-scan --version\n",
                stderr);
}

/* --file may come more than once: their reports come in that order, a line each. */
static bool arguments_parse(int argc, char **argv, struct arena *a, struct arguments *ret)
{
    const char *file = NULL;
    const struct {
        const char *name;
        const char **value;
        bool *flag;
    } table[] = {
        { "--rules", &ret->rules_dir, NULL }, { "--language", &ret->language, NULL }, { "--file", &file, NULL },
        { "--timeout", &ret->timeout, NULL }, { "--facts", NULL, &ret->facts },       { "--check", NULL, &ret->check },
        { "--worker", NULL, &ret->worker },   { "--stay", NULL, &ret->stay },         { "--bench", NULL, &ret->bench },
        { "--pieces", NULL, &ret->pieces },   { "--version", NULL, &ret->version }
    };
    ret->files = arena_zero(a, (size_t)argc * sizeof *ret->files);
    if (!ret->files)
        return false;
    for (int i = 1; i < argc; i++) {
        size_t k = 0;
        while (k < ARRAY_LEN(table) && !str_eq(argv[i], table[k].name))
            k++;
        if (k == ARRAY_LEN(table) || (table[k].value && i + 1 == argc))
            return false;
        if (table[k].flag)
            *table[k].flag = true;
        else
            *table[k].value = argv[++i];
        if (table[k].value == &file)
            ret->files[ret->file_count++] = file;
    }
    return true;
}

/* PREFIX/libexec/sandbox-agent/sandbox-scan -> PREFIX/share/sandbox-agent/rules */
static const char *default_rules(struct arena *a)
{
    char exe[4096];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    if (n < 0)
        return "rules";
    exe[n] = '\0';
    for (int level = 0; level < 3; level++) {
        char *slash = strrchr(exe, '/');
        if (slash)
            *slash = '\0';
    }
    return arena_printf(a, "%s/share/sandbox-agent/rules", exe);
}

static int fail(const struct error *err)
{
    (void)fprintf(stderr, "sandbox-scan: %s\n", err->text);
    return 125;
}

static const char *const fact_kinds[FACT_KINDS] = { "import", "call", "name", "string", "redirect", "pipe", "flow" };

static void print_fact(const struct scan *s, const struct fact *f)
{
    struct buf b;
    buf_init(&b, 1u << 20);
    (void)buf_addf(&b, "%u:%u %-8s ", scan_line(s, f->byte), scan_column(s, f->byte), fact_kinds[f->kind]);
    json_escape(&b, f->name, strlen(f->name));
    (void)buf_addf(&b, "%s (", f->has_dynamic_name ? " [dynamic]" : "");
    for (unsigned i = 0; i < MIN_OF(f->arg_count, FACT_MAX_ARGS); i++) {
        (void)buf_adds(&b, i ? ", " : "");
        if (f->args[i]) {
            (void)buf_addc(&b, '"');
            json_escape(&b, f->args[i], strlen(f->args[i]));
            (void)buf_addc(&b, '"');
        } else
            (void)buf_addc(&b, '?');
    }
    (void)printf("%s)%s\n", b.data ? b.data : "", f->has_dynamic_args ? " [dynamic args]" : "");
    buf_done(&b);
}

static void print_piece(void *ctx, const char *piece, size_t size, size_t at)
{
    (void)ctx, (void)at;
    (void)printf("%.*s\n", (int)size, piece);
}

static int scan_file(const struct arguments *arg, const char *file, struct ruleset *rules, uint32_t timeout_ms)
{
    struct stamp unused = { 0 };
    struct buf text, out;
    static struct scan s;
    static struct scan_report report;
    int e = stamp_file(&unused, file, &text, 16u << 20);
    if (e < 0) {
        (void)fprintf(stderr, "sandbox-scan: %s: %s\n", file, strerror(-e));
        return 2;
    }
    if (scan_begin(&s, rules, text.data ? text.data : "", text.size, timeout_ms) < 0)
        return 125;
    if (arg->facts)
        s.trace = print_fact;
    if (arg->pieces) {
        rules->resemblance.tell = print_piece;
        (void)printf("\t%s\n", file); /* no piece has a tab */
    }
    scan_text(&s);
    scan_syntax(&s);
    scan_report(&s, &report);
    buf_init(&out, 1u << 20);
    scan_report_json(&report, &out);
    if (!arg->facts && !arg->pieces && out.data)
        (void)puts(out.data);
    buf_done(&out);
    scan_done(&s);
    buf_done(&text);
    return 0;
}

static int scan_files(const struct arguments *arg, struct ruleset *rules, uint32_t timeout_ms)
{
    int code = 0;
    for (unsigned i = 0; i < arg->file_count && code == 0; i++)
        code = scan_file(arg, arg->files[i], rules, timeout_ms);
    return code;
}

#define BENCH_ROUNDS 400u

static int by_size(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The same text over and over: what a scan costs where the rules are loaded already. */
static int bench(const struct arguments *arg, struct ruleset *rules)
{
    static uint32_t took[3][BENCH_ROUNDS];
    static struct scan s;
    static struct scan_report report;
    struct stamp unused = { 0 };
    struct buf text;
    if (stamp_file(&unused, arg->files[0], &text, 16u << 20) < 0)
        return 2;
    for (unsigned i = 0; i < BENCH_ROUNDS; i++) {
        uint64_t begun = clock_us(), text_done, syntax_done;
        if (scan_begin(&s, rules, text.data ? text.data : "", text.size, 60000) < 0)
            return 125;
        scan_text(&s);
        text_done = clock_us();
        scan_syntax(&s);
        syntax_done = clock_us();
        scan_report(&s, &report);
        took[0][i] = (uint32_t)(text_done - begun);
        took[1][i] = (uint32_t)(syntax_done - text_done);
        took[2][i] = (uint32_t)(clock_us() - begun);
        if (i + 1 < BENCH_ROUNDS)
            scan_done(&s);
    }
    uint32_t facts = s.fact_count, findings = report.finding_count;
    scan_done(&s);
    for (unsigned k = 0; k < ARRAY_LEN(took); k++)
        qsort(took[k], BENCH_ROUNDS, sizeof took[k][0], by_size);
    (void)printf(
        "%s: %zu bytes, %u rules, %u facts, %u findings: text %u us, syntax %u us, whole scan %u us (p10 %u, p90 %u)\n",
        arg->language, text.size, rules->rule_count, facts, findings, took[0][BENCH_ROUNDS / 2],
        took[1][BENCH_ROUNDS / 2], took[2][BENCH_ROUNDS / 2], took[2][BENCH_ROUNDS / 10],
        took[2][BENCH_ROUNDS * 9 / 10]);
    buf_done(&text);
    return 0;
}

/* Each file as a cell behind those before it: what the last hundred scans cost, as wholes or as a text that grows. */
static int bench_cells(const struct arguments *arg, struct ruleset *rules, struct growth *growth)
{
    static struct scan s;
    static struct scan_report report;
    static uint32_t took[100];
    struct stamp unused = { 0 };
    struct buf sum, cell;
    unsigned count = 0;
    buf_init(&sum, GROWTH_MAX_BYTES);
    for (unsigned i = 0; i < arg->file_count && !sum.failed; i++) {
        if (stamp_file(&unused, arg->files[i], &cell, 16u << 20) < 0)
            return 2;
        (void)buf_add(&sum, cell.data, cell.size);
        buf_done(&cell);
        const uint64_t begun_us = clock_cpu_us(); /* what else runs here does not count */
        if (sum.failed || scan_begin(&s, rules, sum.data, sum.size, 60000) < 0)
            break;
        if ((s.growth = growth))
            growth_begin(growth, sum.data, (uint32_t)sum.size);
        scan_text(&s);
        scan_syntax(&s);
        scan_report(&s, &report);
        if (growth)
            growth_end(growth, &s);
        took[count++ % ARRAY_LEN(took)] = (uint32_t)(clock_cpu_us() - begun_us);
        scan_done(&s);
        (void)buf_addf(&sum, "\n%s --- cell %u ---\n", rules->language == LANG_NODE ? "//" : "#", i + 2);
    }
    const unsigned kept = MIN_OF(count, (unsigned)ARRAY_LEN(took));
    qsort(took, kept, sizeof took[0], by_size);
    (void)printf("%s: %u cells, %zu bytes, %s: the last %u %u us (p10 %u, p90 %u); %zu KiB of trees are kept\n",
                 arg->language, count, sum.size, growth ? "growing" : "as wholes", kept, took[kept / 2],
                 took[kept / 10], took[kept * 9 / 10], memory_used() / KIB);
    buf_done(&sum);
    return 0;
}

static int check_rules(const char *dir)
{
    static struct ruleset rules;
    struct error err = { 0 };
    uint32_t count = 0;
    for (unsigned i = 0; i < LANG_COUNT; i++) {
        if (ruleset_load(&rules, dir, (enum language)i, &err) < 0 || ruleset_check(&rules, &err) < 0)
            return fail(&err);
        count += rules.rule_count;
        ruleset_done(&rules);
    }
    (void)printf("%u rules\n", count);
    return 0;
}

/* A build without node_modules has none, and judges by patterns alone. */
static void print_version(void)
{
    (void)printf("sandbox-scan " VERSION "\n");
    for (unsigned i = 0; i < LANG_COUNT; i++)
        (void)printf("%s: %s\n", grammar_of((enum language)i)->name,
                     grammar_of((enum language)i)->language ? "grammar and patterns" : "patterns only");
}

int main(int argc, char **argv)
{
    static struct ruleset rules;
    static struct growth growth;
    struct arguments arg = { 0 };
    struct arena a = { 0 };
    struct error err = { 0 };
    enum language language;
    uint64_t timeout_ms = 2000;
    if (!arguments_parse(argc, argv, &a, &arg) || (arg.timeout && parse_u64(arg.timeout, &timeout_ms) < 0)) {
        usage();
        arena_done(&a);
        return 2;
    }
    if (!arg.rules_dir)
        arg.rules_dir = default_rules(&a);
    int code = 2;
    if (arg.version)
        print_version(), code = 0;
    else if (arg.worker && arg.language && grammar_find(arg.language, &language))
        code = worker_main(&rules, arg.rules_dir, language, (uint32_t)MIN_OF(timeout_ms, UINT64_C(60000)), arg.stay);
    else if (arg.check)
        code = check_rules(arg.rules_dir);
    else if (!arg.file_count || !arg.language || !grammar_find(arg.language, &language))
        usage();
    else if (ruleset_load(&rules, arg.rules_dir, language, &err) < 0)
        code = fail(&err);
    else {
        code = arg.bench && arg.file_count > 1 ? (bench_cells(&arg, &rules, NULL), bench_cells(&arg, &rules, &growth))
               : arg.bench                     ? bench(&arg, &rules)
                           : scan_files(&arg, &rules, (uint32_t)MIN_OF(timeout_ms, UINT64_C(60000)));
        ruleset_done(&rules);
    }
    arena_done(&a);
    return code;
}
