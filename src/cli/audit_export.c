#include "cli/audit_export.h"

#include "audit/audit.h"
#include "base/csv.h"

const char *const export_formats[] = { "ecs", "csv", NULL };

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
    if (f == EXPORT_CSV)
        (void)buf_adds(out, "number,time,level,agent,action,outcome,reason,rule,execution,code_sha256,message\n");
}

void export_line(enum export_format f, const char *line, size_t size, const struct audit_line *l, struct buf *out)
{
    if (f == EXPORT_ECS) {
        (void)buf_add(out, line, size);
        (void)buf_addc(out, '\n');
        return;
    }
    const struct slice cells[] = { l->timestamp, l->level, l->agent,     l->action,    l->outcome,
                                   l->reason,    l->rule,  l->execution, l->code_hash, l->message };
    (void)buf_addf(out, "%llu,", (unsigned long long)l->sequence);
    for (size_t i = 0; i < ARRAY_LEN(cells); i++)
        put_cell(cells[i], i + 1 < ARRAY_LEN(cells) ? ',' : '\n', out);
}
