#include "daemon/package_scan.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/io.h"
#include "files/walk.h"
#include "scan/client.h"

struct scanning {
    struct scan_request request; /* but the code */
    struct package_scan *sum;
    uint64_t until_ms;
    struct error *err;
};

static bool language_of(const char *path, enum language *ret)
{
    static const struct {
        const char *end;
        enum language language;
    } ends[] = { { ".py", LANG_PYTHON }, { ".pth", LANG_PYTHON }, { ".js", LANG_NODE },
                 { ".mjs", LANG_NODE },  { ".cjs", LANG_NODE },   { ".sh", LANG_BASH } };
    const size_t n = strlen(path);
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        const size_t m = strlen(ends[i].end);
        *ret = ends[i].language;
        if (n > m && str_eq(path + n - m, ends[i].end))
            return true;
    }
    return false;
}

static void count(struct package_scan *sum, const struct finding *f, const char *path)
{
    uint32_t i = 0;
    while (i < sum->rule_count && !str_eq(sum->rules[i].rule, f->rule))
        i++;
    if (i == PACKAGE_SCAN_MAX_RULES)
        return;
    struct package_scan_rule *r = &sum->rules[i];
    if (i == sum->rule_count) {
        sum->rule_count++;
        (void)snprintf(r->rule, sizeof r->rule, "%s", f->rule);
        (void)snprintf(r->example, sizeof r->example, "%.200s:%u", path, f->line);
        r->severity = f->severity;
    }
    r->count++;
}

static int scan_one(struct scanning *s, const char *path, const struct buf *text)
{
    struct scan_job job;
    void *blob = NULL;
    struct scan_report *report = calloc(1, sizeof *report);
    if (!report)
        return err_set(s->err, -ENOMEM, BLAME_HOST, "SCAN", "no memory");
    s->request.code = text->data ? text->data : "";
    s->request.code_size = text->size;
    int e = scan_start(&s->request, &job, s->err);
    if (e == 0)
        e = scan_finish(&job, report, &blob, s->err);
    for (uint32_t i = 0; e == 0 && i < report->finding_count; i++)
        if (report->findings[i].severity != SEVERITY_INFO)
            count(s->sum, &report->findings[i], path);
    s->sum->scanned += e == 0;
    free(report);
    free(blob);
    return e;
}

static int look(struct scanning *s, int dir, const struct wfile_walk *w)
{
    struct wfile_stat st;
    struct buf text;
    struct package_scan *sum = s->sum;
    if (w->stat.kind != WFILE_REGULAR || !w->stat.size || !language_of(w->path, &s->request.language))
        return 0;
    if (w->stat.size > PACKAGE_SCAN_MAX_SIZE || sum->scanned == PACKAGE_SCAN_MAX_FILES || clock_ms() >= s->until_ms) {
        sum->left_out++;
        return 0;
    }
    buf_init(&text, PACKAGE_SCAN_MAX_SIZE);
    cleanup(closep) int fd = wfile_open(dir, w->path, &st);
    int e = fd < 0 || read_open_file(fd, &text) < 0 ? 1 : scan_one(s, w->path, &text);
    sum->left_out += e == 1; /* it cannot be read: our own disk */
    buf_done(&text);
    return MIN_OF(e, 0);
}

static int worst_first(const void *a, const void *b)
{
    const struct package_scan_rule *x = a, *y = b;
    return x->severity != y->severity ? (int)y->severity - (int)x->severity : strcmp(x->rule, y->rule);
}

int package_scan_tree(const struct paths *p, const struct config *c, int dir, struct package_scan *ret,
                      struct error *err)
{
    struct arena a = { 0 };
    struct wfile_walk *w = calloc(1, sizeof *w);
    struct scanning s = { .request = { .patterns = &c->agixt.analysis.patterns,
                                       .rules_only = true, /* a library's long files resemble everything a little */
                                       .timeout_ms = (uint32_t)c->agixt.analysis.timeout,
                                       .program = arena_printf(&a, "%s/sandbox-scan", p->libexec),
                                       .rules_dir = arena_printf(&a, "%s/rules", p->data) },
                          .sum = ret,
                          .until_ms = clock_ms() + PACKAGE_SCAN_TIME_MS,
                          .err = err };
    *ret = (struct package_scan){ 0 };
    int e = w ? wfile_walk_begin(w, dir, ".", 0, 0) : -ENOMEM;
    if (e < 0)
        (void)err_set(err, e, BLAME_HOST, "SCAN", "read the set: %s", strerror(-e));
    while (e == 0 && wfile_walk_next(w))
        e = look(&s, dir, w);
    if (w)
        wfile_walk_done(w);
    free(w);
    arena_done(&a);
    qsort(ret->rules, ret->rule_count, sizeof *ret->rules, worst_first);
    return e;
}
