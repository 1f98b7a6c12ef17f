#include "tool/doctor.h"

#include <stdarg.h>
#include <stdio.h>

enum { TEXT_MAX = 2000 };

void check_init(struct check *c, const struct probe *p)
{
    *c = (struct check){ .probe = p, .facts = json_object() };
    buf_init(&c->summary, TEXT_MAX);
    buf_init(&c->detail, TEXT_MAX);
    buf_init(&c->remedy, TEXT_MAX);
}

void check_done(struct check *c)
{
    buf_done(&c->summary);
    buf_done(&c->detail);
    buf_done(&c->remedy);
    json_decref(c->facts);
    c->facts = NULL;
}

/* Text that does not fit is lost whole: a report is read by people, and 2000 bytes are plenty. */
static void add_text(struct buf *b, const char *fmt, va_list ap)
{
    char text[TEXT_MAX];
    (void)vsnprintf(text, sizeof text, fmt, ap);
    (void)buf_adds(b, text_clean(text));
}

void check_say(struct check *c, enum check_status s, const char *fmt, ...)
{
    va_list ap;
    c->status = s;
    c->summary.size = 0;
    va_start(ap, fmt);
    add_text(&c->summary, fmt, ap);
    va_end(ap);
}

void check_add(struct check *c, enum check_status s, const char *fmt, ...)
{
    va_list ap;
    c->status = MAX_OF(c->status, s);
    if (c->detail.size > 0)
        (void)buf_adds(&c->detail, "; ");
    va_start(ap, fmt);
    add_text(&c->detail, fmt, ap);
    va_end(ap);
}

void check_remedy(struct check *c, const char *fmt, ...)
{
    va_list ap;
    if (c->remedy.size > 0)
        return;
    va_start(ap, fmt);
    add_text(&c->remedy, fmt, ap);
    va_end(ap);
}

/* Facts are best effort: without memory the object lacks a key, and report_json says so by failing. */
void fact_take(struct check *c, const char *key, json_t *value)
{
    (void)json_object_set_new(c->facts, key, value);
}

void fact_text(struct check *c, const char *key, const char *value)
{
    fact_take(c, key, text_json(value));
}

void fact_number(struct check *c, const char *key, int64_t value)
{
    fact_take(c, key, json_integer(value));
}

void fact_bool(struct check *c, const char *key, bool value)
{
    fact_take(c, key, json_boolean(value));
}

char *text_clean(char *s)
{
    for (char *p = s; *p; p++)
        if ((unsigned char)*p < 0x20 || *p == 0x7f)
            *p = '?';
    json_t *probe = json_string(s); /* NULL: not UTF-8 (or no memory, which is harmless here) */
    if (!probe)
        for (char *p = s; *p; p++)
            if ((unsigned char)*p >= 0x80)
                *p = '?';
    json_decref(probe);
    return s;
}

json_t *text_json(const char *s)
{
    if (!s)
        return json_null();
    cleanup(freep) char *copy = strdup(s);
    return copy ? json_string(text_clean(copy)) : NULL;
}
