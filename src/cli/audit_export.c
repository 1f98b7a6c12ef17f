#include "cli/audit_export.h"

#include "audit/audit.h"
#include "base/csv.h"
#include "base/json.h"
#include "cli/audit_ocsf.h"

const char *const export_formats[] = { "ecs", "csv", "jsonl", "ocsf", NULL };

static const struct column {
    const char *name;
    size_t offset;
} columns[] = {
    { "time", offsetof(struct audit_line, timestamp) },
    { "level", offsetof(struct audit_line, level) },
    { "agent", offsetof(struct audit_line, agent) },
    { "action", offsetof(struct audit_line, action) },
    { "outcome", offsetof(struct audit_line, outcome) },
    { "reason", offsetof(struct audit_line, reason) },
    { "rule", offsetof(struct audit_line, rule) },
    { "execution", offsetof(struct audit_line, execution) },
    { "code_sha256", offsetof(struct audit_line, code_hash) },
    { "message", offsetof(struct audit_line, message) },
};

static struct slice value_of(const struct column *c, const struct audit_line *l)
{
    return *(const struct slice *)(const void *)((const char *)l + c->offset);
}

static void put_cell(struct slice s, char end, struct buf *out)
{
    struct buf text;
    buf_init(&text, 4 * AUDIT_LINE_MAX);
    if (s.p)
        slice_print(s, &text); /* control characters as \xNN: no cell begins with a tab */
    csv_cell(out, text.data ? text.data : "", end);
    buf_done(&text);
}

void export_begin(enum export_format f, struct buf *out)
{
    if (f != EXPORT_CSV)
        return;
    (void)buf_adds(out, "number");
    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        (void)buf_addf(out, ",%s", columns[i].name);
    (void)buf_addc(out, '\n');
}

static void put_csv(const struct audit_line *l, struct buf *out)
{
    (void)buf_addf(out, "%llu,", (unsigned long long)l->sequence);
    for (size_t i = 0; i < ARRAY_LEN(columns); i++)
        put_cell(value_of(&columns[i], l), i + 1 < ARRAY_LEN(columns) ? ',' : '\n', out);
}

/* What the line does not have is null, so each object has the same members. */
static void put_object(const struct audit_line *l, struct buf *out)
{
    (void)buf_addf(out, "{\"number\":%llu", (unsigned long long)l->sequence);
    for (size_t i = 0; i < ARRAY_LEN(columns); i++) {
        struct slice s = value_of(&columns[i], l); /* escaped as JSON wants it */
        (void)buf_addf(out, ",\"%s\":%s", columns[i].name, s.p ? "\"" : "null");
        if (s.p && buf_add(out, s.p, s.size) == 0)
            (void)buf_addc(out, '"');
    }
    (void)buf_adds(out, "}\n");
}

int export_line(enum export_format f, const char *line, size_t size, const struct audit_line *l, struct buf *out)
{
    int e = 0;
    if (f == EXPORT_CSV) {
        put_csv(l, out);
    } else if (f == EXPORT_JSONL) {
        put_object(l, out);
    } else {
        e = f == EXPORT_OCSF ? ocsf_event(line, size, l, out) : buf_add(out, line, size);
        if (e == 0)
            (void)buf_addc(out, '\n');
    }
    return e == -EBADMSG ? e : 0;
}
