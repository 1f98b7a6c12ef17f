/* doctor_report.c - the findings, for people and for programs. */
#include "tool/doctor.h"

#include <langinfo.h>
#include <locale.h>
#include <stdio.h>

struct style {
    const char *mark[CHECK_STATUS_COUNT], *color[CHECK_STATUS_COUNT];
    int mark_columns;
    const char *bold, *dim, *off, *arrow;
};

static bool is_utf8(void)
{
    locale_t l = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    if (l == (locale_t)0) /* a locale that is not installed */
        return false;
    bool yes = str_eq(nl_langinfo_l(CODESET, l), "UTF-8");
    freelocale(l);
    return yes;
}

static bool wants_color(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM"); /* no-color.org */
    return isatty(STDOUT_FILENO) && !(no && *no) && term && !str_eq(term, "dumb");
}

static struct style style_choose(void)
{
    struct style s = { { "ok", "--", "!!", "XX" }, { "", "", "", "" }, 2, "", "", "", "->" };
    if (is_utf8()) {
        const char *const marks[] = { "✓", "·", "!", "✗" };
        memcpy(s.mark, marks, sizeof s.mark);
        s.mark_columns = 1;
        s.arrow = "→";
    }
    if (wants_color()) {
        const char *const colors[] = { "\033[32m", "\033[2m", "\033[33m", "\033[31m" };
        memcpy(s.color, colors, sizeof s.color);
        s.bold = "\033[1m", s.dim = "\033[2m", s.off = "\033[0m";
    }
    return s;
}

static const char *buf_text(const struct buf *b)
{
    return b->data ? b->data : "";
}

static bool buf_same(const struct buf *a, const struct buf *b)
{
    return str_eq(buf_text(a), buf_text(b));
}

/* One line for each thing that check_add() was told. */
static void detail_text(const struct style *s, const struct check *c, int indent, struct buf *out)
{
    for (const char *p = buf_text(&c->detail); *p;) {
        const char *end = strstr(p, "; ");
        int n = end ? (int)(end - p) : (int)strlen(p);
        (void)buf_addf(out, "%*s%s%.*s%s\n", indent, "", s->dim, n, p, s->off);
        p += n + (end ? 2 : 0);
    }
}

/* What the line above said already (three levels refused for one reason) is not said again. */
static void check_text(const struct style *s, const struct check *c, const struct check *before, struct buf *out)
{
    enum { NAME_COLUMNS = 15 };
    const int indent = 2 + s->mark_columns + 1 + NAME_COLUMNS + 1;
    (void)buf_addf(out, "  %s%s%s %-*s %s\n", s->color[c->status], s->mark[c->status], s->off, NAME_COLUMNS,
                   c->probe->name, buf_text(&c->summary));
    if (before && buf_same(&c->detail, &before->detail) && buf_same(&c->remedy, &before->remedy))
        return;
    if (c->status >= CHECK_WARN)
        detail_text(s, c, indent, out);
    if (c->remedy.size > 0)
        (void)buf_addf(out, "%*s%s %s\n", indent, "", s->arrow, buf_text(&c->remedy));
}

static void verdict_text(const struct style *s, bool is_ok, struct buf *out)
{
    if (is_ok)
        (void)buf_addf(out, "\n%sMedium risk works here.%s\n", s->bold, s->off);
    else
        (void)buf_addf(out,
                       "\n%sMedium risk does not work here.%s What is marked %s has to be repaired first; "
                       "the line with %s below it says how.\n",
                       s->bold, s->off, s->mark[CHECK_FAIL], s->arrow);
}

void report_text(const struct check *checks, size_t count, bool is_ok, struct buf *out)
{
    const struct style s = style_choose();
    const struct check *before = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *group = checks[i].probe->group;
        if (before && !str_eq(before->probe->group, group)) {
            (void)buf_addc(out, '\n');
            before = NULL;
        }
        if (!before)
            (void)buf_addf(out, "%s%c%s%s\n", s.bold, group[0] - 'a' + 'A', group + 1, s.off);
        check_text(&s, &checks[i], before, out);
        before = &checks[i];
    }
    verdict_text(&s, is_ok, out);
}

static json_t *check_json(const struct check *c)
{
    static const char *const names[CHECK_STATUS_COUNT] = { "ok", "info", "warn", "fail" };
    json_t *o = json_object();
    (void)json_object_set_new(o, "status", text_json(names[c->status]));
    (void)json_object_set_new(o, "summary", text_json(buf_text(&c->summary)));
    (void)json_object_set_new(o, "detail", text_json(c->detail.size ? c->detail.data : NULL));
    (void)json_object_set_new(o, "remedy", text_json(c->remedy.size ? c->remedy.data : NULL));
    if (json_object_update_missing(o, c->facts) < 0) {
        json_decref(o);
        return NULL;
    }
    return o;
}

int report_json(const struct check *checks, size_t count, bool is_ok, struct buf *out)
{
    json_t *top = json_object(), *group = NULL;
    int r = json_object_set_new(top, "schema", json_integer(1));
    r |= json_object_set_new(top, "ok", json_boolean(is_ok));
    for (size_t i = 0; r == 0 && i < count; i++) {
        const struct probe *p = checks[i].probe;
        group = json_object_get(top, p->group);
        if (!group) {
            group = json_object();
            r |= json_object_set_new(top, p->group, group);
        }
        r |= json_object_set_new(group, p->name, check_json(&checks[i]));
    }
    cleanup(freep) char *text = r == 0 ? json_dumps(top, JSON_INDENT(2)) : NULL;
    json_decref(top);
    if (!text)
        return -ENOMEM;
    r = buf_adds(out, text);
    return r < 0 ? r : buf_addc(out, '\n');
}
