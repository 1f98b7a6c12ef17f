/* usage.c - the command `usage`: what runs took, by agent, key and time, from the meter in the store. */
#include <stdio.h>

#include "base/clock.h"
#include "cli/cmd.h"
#include "cli/records.h"
#include "run/ledger.h"
#include "run/usage_view.h"

#define ANSWER_MAX (16 * MIB)

struct words {
    const char *agent, *key, *since, *until, *by, *format, *config;
};

static const char *const formats[] = { "table", "json", "csv", NULL };
enum format { FORMAT_TABLE, FORMAT_JSON, FORMAT_CSV, FORMATS };

static int parse(int argc, char **argv, struct words *w, struct usage_ask *r, enum format *ret, struct error *err)
{
    const struct word table[] = { { "--agent", &w->agent, NULL, NULL },   { "--key-id", &w->key, NULL, NULL },
                                  { "--since", &w->since, NULL, NULL },   { "--until", &w->until, NULL, NULL },
                                  { "--by", &w->by, NULL, NULL },         { "--format", &w->format, NULL, NULL },
                                  { "--config", &w->config, NULL, NULL }, { 0 } };
    const uint64_t now_ms = wall_clock_ms();
    size_t count;
    int e = words_parse(argc, argv, table, NULL, 0, &count, err);
    *r = (struct usage_ask){ .since_ms = now_ms - MIN_OF(now_ms, USAGE_SINCE_MS), .until_ms = now_ms };
    if (e == 0 && w->since)
        e = records_time("--since", w->since, now_ms, &r->since_ms, err);
    if (e == 0 && w->until)
        e = records_time("--until", w->until, now_ms, &r->until_ms, err);
    if (e == 0)
        e = usage_by("--by", w->by ? w->by : USAGE_BY, r, err);
    for (*ret = 0; e == 0 && w->format && *ret < FORMATS && !str_eq(w->format, formats[*ret]); ++*ret)
        ;
    if (e == 0 && *ret == FORMATS) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "--format %s: accepted are table, json and csv", w->format);
        return err_remedy(err, "without it: table");
    }
    r->agent_id = w->agent;
    r->key_id = w->key;
    return e;
}

/* --- a table for people --------------------------------------------------------------------------- */

static void put_bytes(struct buf *out, uint64_t bytes)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
    size_t unit = 0;
    uint64_t tenths = bytes * 10;
    for (; tenths >= 10240 && unit + 1 < ARRAY_LEN(units); unit++)
        tenths /= 1024;
    (void)buf_addf(out, "  %6llu.%llu %-3s", (unsigned long long)(tenths / 10), (unsigned long long)(tenths % 10),
                   units[unit]);
}

static void put_name(struct buf *out, const char *name)
{
    struct buf clean;
    buf_init(&clean, 4 * AGENT_ID_MAX + 1);
    (void)buf_adds_clean(&clean, name);
    (void)buf_addf(out, "  %s", clean.data && !clean.failed ? clean.data : "?");
    buf_done(&clean);
}

static void table_row(struct buf *out, const struct usage_row *row)
{
    char from[32];
    (void)buf_addf(out, "%-20s %8llu  %12llu.%03llu  %14llu.%03llu", row->at_ms ? key_time(row->at_ms, from) : "all",
                   (unsigned long long)row->runs, (unsigned long long)(row->use.cpu_us / 1000000),
                   (unsigned long long)(row->use.cpu_us / 1000 % 1000),
                   (unsigned long long)(row->use.memory_mib_ms / 1000),
                   (unsigned long long)(row->use.memory_mib_ms % 1000));
    put_bytes(out, row->use.bytes_in);
    put_bytes(out, row->use.bytes_out);
    if (row->agent_id)
        put_name(out, row->agent_id);
    if (row->key_id)
        put_name(out, *row->key_id ? row->key_id : "(command line)");
    if (row->unmeasured)
        (void)buf_addf(out, "  (%llu not measured in full: docs/usage.md)", (unsigned long long)row->unmeasured);
    (void)buf_addc(out, '\n');
}

static void begin(struct buf *out, enum format f, const struct usage_ask *r)
{
    if (f == FORMAT_JSON)
        usage_json_begin(out, r);
    else if (f == FORMAT_CSV)
        usage_csv_begin(out);
    else
        (void)buf_addf(out, "%-20s %8s  %16s  %18s  %12s  %12s%s%s\n", "FROM (UTC)", "RUNS", "CPU s", "MEMORY MiB s",
                       "IN", "OUT", r->by_agent ? "  AGENT" : "", r->by_key ? "  KEY" : "");
}

/* --- the command ------------------------------------------------------------------------------------ */

static int ask_ledger(void *context, const struct usage_ask *r, struct usage_list *ret, struct error *err)
{
    return store_usage(context, r, ret, err);
}

static int show(const struct paths *p, const char *config, struct arena *a, struct usage_ask *r, enum format f,
                struct buf *out, struct error *err)
{
    static void (*const rows[FORMATS])(struct buf *, const struct usage_row *) = { table_row, usage_json_row,
                                                                                   usage_csv_row };
    struct store ledger = { 0 };
    struct records where = { 0 };
    int e = records_find(p, config, a, &where, err);
    if (e == 0)
        e = ledger_start(p, &where.policy.config, false, a, &ledger, err);
    begin(out, f, r);
    if (e == 0 && store_is_open(&ledger))
        e = usage_read(ask_ledger, &ledger, r, rows[f], out, err);
    if (f == FORMAT_JSON)
        usage_json_end(out);
    (void)store_close(&ledger);
    if (where.policy.blob)
        compiled_done(&where.policy);
    return e;
}

int cmd_usage(const struct paths *p, struct arena *a, int argc, char **argv)
{
    struct error err = { 0 };
    struct words w = { 0 };
    struct usage_ask r;
    enum format format = FORMAT_TABLE;
    struct buf out;
    buf_init(&out, ANSWER_MAX);
    int e = parse(argc, argv, &w, &r, &format, &err);
    if (e == 0)
        e = show(p, w.config, a, &r, format, &out, &err);
    if (e == 0)
        (void)fwrite(out.data, 1, out.size, stdout);
    int code = e < 0 ? records_fail(&err) : output_end(0);
    buf_done(&out);
    return code;
}
