#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "daemon/running_rows.h"

const char *const running_kind_names[] = { "execution", "direct", "session", NULL };
const char *const running_order_names[] = { "age", "cpu", "memory", "processes", "network", "agent", NULL };

struct running_row *running_add(struct running *r)
{
    struct running_row *more;
    r->is_cut = r->is_cut || r->count == RUNNING_MAX;
    if (r->count == RUNNING_MAX)
        return NULL;
    if (r->count % 64 == 0) {
        if (!(more = realloc(r->rows, (r->count + 64) * sizeof *more)))
            return NULL;
        r->rows = more;
    }
    return &r->rows[r->count++];
}

void running_done(struct running *r)
{
    free(r->rows);
    *r = (struct running){ 0 };
}

/* --- order ---------------------------------------------------------------------------------------- */

static const struct running_row *find(const struct running *in, const struct running_row *row)
{
    for (size_t i = 0; in && i < in->count; i++)
        if (in->rows[i].kind == row->kind && str_eq(in->rows[i].id, row->id))
            return &in->rows[i];
    return NULL;
}

static uint32_t share(uint64_t cpu_us, uint64_t over_us)
{
    return over_us ? (uint32_t)MIN_OF(cpu_us * 1000 / over_us, UINT64_C(1000000)) : 0;
}

static void set_cpu(struct running_row *row, const struct running_row *before)
{
    const struct live_usage *now = &row->usage, *then = before ? &before->usage : NULL;
    if (then && before->has_usage && now->at_us > then->at_us && now->cpu_us >= then->cpu_us)
        row->cpu_milli = share(now->cpu_us - then->cpu_us, now->at_us - then->at_us);
    else
        row->cpu_milli = before && now->at_us == then->at_us ? before->cpu_milli : share(now->cpu_us, now->at_us);
}

static uint64_t weight(const struct running_row *r, enum running_order order)
{
    switch (order) {
    case BY_CPU:
        return r->cpu_milli;
    case BY_MEMORY:
        return r->usage.memory_bytes;
    case BY_PROCESSES:
        return r->usage.pids;
    case BY_NETWORK:
        return r->usage.bytes_out + r->usage.bytes_in;
    case BY_AGE:
    case BY_AGENT:
    case RUNNING_ORDERS:
        break;
    }
    return UINT64_MAX - r->age_ms; /* the newest first */
}

static int compare(const void *x, const void *y, void *context)
{
    const struct running_row *a = x, *b = y;
    const enum running_order order = *(const enum running_order *)context;
    const uint64_t wa = weight(a, order), wb = weight(b, order);
    int c = order == BY_AGENT ? strcmp(a->agent, b->agent) : 0;
    if (!c)
        c = wa > wb ? -1 : wa < wb;
    return c ? c : strcmp(a->id, b->id);
}

void running_sort(struct running *r, const struct running *before, enum running_order order)
{
    for (size_t i = 0; i < r->count; i++)
        if (r->rows[i].has_usage)
            set_cpu(&r->rows[i], find(before, &r->rows[i]));
    if (r->count)
        qsort_r(r->rows, r->count, sizeof *r->rows, compare, &order);
}

/* --- as a table ----------------------------------------------------------------------------------- */

struct text {
    char s[32];
};

static struct text age_text(uint64_t ms)
{
    const uint64_t s = ms / 1000;
    struct text t;
    if (s < 60)
        (void)snprintf(t.s, sizeof t.s, "%llu.%llus", (unsigned long long)s, (unsigned long long)(ms % 1000 / 100));
    else if (s < 3600)
        (void)snprintf(t.s, sizeof t.s, "%llum%02llus", (unsigned long long)(s / 60), (unsigned long long)(s % 60));
    else
        (void)snprintf(t.s, sizeof t.s, "%lluh%02llum", (unsigned long long)(s / 3600),
                       (unsigned long long)(s % 3600 / 60));
    return t;
}

static struct text bytes_text(uint64_t n)
{
    static const char units[] = "BKMGT";
    size_t u = 0;
    struct text t;
    uint64_t tenths = n * 10;
    for (; tenths >= 10240 && u + 2 < sizeof units; u++)
        tenths /= 1024;
    if (u && tenths < 1000)
        (void)snprintf(t.s, sizeof t.s, "%llu.%llu%c", (unsigned long long)(tenths / 10),
                       (unsigned long long)(tenths % 10), units[u]);
    else
        (void)snprintf(t.s, sizeof t.s, "%llu%c", (unsigned long long)(tenths / 10), units[u]);
    return t;
}

enum { CELLS = 12 };
static const struct column {
    const char *head;
    bool is_number;
} columns_[CELLS] = {
    { "KIND", false },  { "RUN", false },   { "AGENT", false }, { "LANGUAGE", false },
    { "LEVEL", false }, { "STATE", false }, { "AGE", true },    { "CPU", true },
    { "CPU%", true },   { "MEMORY", true }, { "PROCS", true },  { "OUT/IN", true },
};

struct cells {
    char cell[CELLS][2 * AGENT_ID_MAX + 1];
};

/* What agents and other users chose, without controls. */
static void clean(char *out, size_t size, const char *text)
{
    struct buf b;
    buf_init(&b, 1024);
    (void)buf_adds_clean(&b, *text ? text : "-");
    (void)snprintf(out, size, "%s", b.data ? b.data : "-");
    buf_done(&b);
}

static void fill(const struct running_row *r, struct cells *c)
{
    const char *const texts[] = { running_kind_names[r->kind], r->id, r->agent, r->language, r->level, r->state };
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        clean(c->cell[i], sizeof c->cell[i], texts[i]);
    (void)snprintf(c->cell[6], sizeof c->cell[6], "%s", age_text(r->age_ms).s);
    for (size_t i = 7; i < CELLS; i++)
        (void)snprintf(c->cell[i], sizeof c->cell[i], "-");
    if (!r->has_usage)
        return;
    const struct live_usage *u = &r->usage;
    (void)snprintf(c->cell[7], sizeof c->cell[7], "%s", age_text(u->cpu_us / 1000).s);
    (void)snprintf(c->cell[8], sizeof c->cell[8], "%u.%u", r->cpu_milli / 10, r->cpu_milli % 10);
    (void)snprintf(c->cell[9], sizeof c->cell[9], "%s", bytes_text(u->memory_bytes).s);
    (void)snprintf(c->cell[10], sizeof c->cell[10], "%u", u->pids);
    if (r->kind != RUNNING_DIRECT)
        (void)snprintf(c->cell[11], sizeof c->cell[11], "%s/%s", bytes_text(u->bytes_out).s, bytes_text(u->bytes_in).s);
}

static void put_line(const char *(*cell)(const void *, size_t), const void *row, const size_t *widths, unsigned columns,
                     struct buf *out)
{
    const size_t begin = out->size;
    for (size_t i = 0; i < CELLS; i++) {
        const char *text = cell(row, i);
        const int pad = (int)(widths[i] - MIN_OF(widths[i], strlen(text)));
        (void)buf_addf(out, "%s%*s%s%*s", i ? "  " : "", columns_[i].is_number ? pad : 0, "", text,
                       columns_[i].is_number || i + 1 == CELLS ? 0 : pad, "");
    }
    if (columns && out->size - begin > columns)
        out->size = begin + columns;
    while (out->size > begin && out->data[out->size - 1] == ' ')
        out->size--;
}

static const char *head_cell(const void *row, size_t i)
{
    (void)row;
    return columns_[i].head;
}

static const char *row_cell(const void *row, size_t i)
{
    return ((const struct cells *)row)->cell[i];
}

void running_print(const struct running *r, size_t chosen, unsigned columns, size_t from, size_t most, struct buf *out)
{
    const size_t until = from + MIN_OF(most, r->count - MIN_OF(from, r->count));
    size_t widths[CELLS];
    struct cells c;
    for (size_t k = 0; k < CELLS; k++)
        widths[k] = strlen(columns_[k].head);
    for (size_t i = from; i < until; i++) {
        fill(&r->rows[i], &c);
        for (size_t k = 0; k < CELLS; k++)
            widths[k] = MAX_OF(widths[k], strlen(c.cell[k]));
    }
    put_line(head_cell, NULL, widths, columns, out);
    (void)buf_addc(out, '\n');
    for (size_t i = from; i < until; i++) {
        fill(&r->rows[i], &c);
        (void)buf_adds(out, i == chosen ? "\033[7m" : "");
        put_line(row_cell, &c, widths, columns, out);
        (void)buf_adds(out, i == chosen ? "\033[0m\n" : "\n");
    }
}

/* --- as JSON -------------------------------------------------------------------------------------- */

static void put_text(struct buf *b, const char *name, const char *text)
{
    json_key(b, name), json_put_string(b, *text ? text : NULL);
}

static void put_row(const struct running_row *r, struct buf *b)
{
    json_open(b, '{');
    put_text(b, "kind", running_kind_names[r->kind]);
    put_text(b, "id", r->id);
    put_text(b, "agent_id", r->agent);
    put_text(b, "language", r->language);
    put_text(b, "risk_level", r->level);
    put_text(b, "state", r->state);
    json_key(b, "age_ms"), json_uint(b, r->age_ms);
    json_key(b, "usage");
    if (!r->has_usage) {
        json_put_null(b);
    } else {
        json_open(b, '{');
        json_key(b, "cpu_ms"), json_milli(b, r->usage.cpu_us);
        json_key(b, "cpu_cores"), json_milli(b, r->cpu_milli);
        json_key(b, "memory_bytes"), json_uint(b, r->usage.memory_bytes);
        json_key(b, "pids"), json_uint(b, r->usage.pids);
        if (r->kind != RUNNING_DIRECT) {
            json_key(b, "bytes_out"), json_uint(b, r->usage.bytes_out);
            json_key(b, "bytes_in"), json_uint(b, r->usage.bytes_in);
        }
        json_close(b, '}');
    }
    json_close(b, '}');
}

void running_json(const struct running *r, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "runs"), json_open(out, '[');
    for (size_t i = 0; i < r->count; i++)
        put_row(&r->rows[i], out);
    json_close(out, ']');
    json_key(out, "complete"), json_bool(out, !r->is_cut);
    json_close(out, '}');
    (void)buf_addc(out, '\n');
}
