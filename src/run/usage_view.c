#include "run/usage_view.h"

#include "base/csv.h"
#include "base/json.h"
#include "store/service.h"

static int refuse_words(const char *name, const char *words, struct error *err)
{
    struct buf clean;
    buf_init(&clean, 256);
    (void)buf_adds_clean(&clean, words);
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL,
                  "%s: %s is not accepted: agent, key and one of hour, day and month, with commas, each once; or all",
                  name, clean.data && !clean.failed ? clean.data : "this");
    buf_done(&clean);
    return err_remedy(err, "without it: " USAGE_BY);
}

static bool take_word(const char *p, size_t size, struct usage_ask *r)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = { { "agent", &r->by_agent }, { "key", &r->by_key } };
    for (size_t i = 0; i < ARRAY_LEN(flags); i++)
        if (strlen(flags[i].name) == size && memcmp(p, flags[i].name, size) == 0)
            return !*flags[i].flag && (*flags[i].flag = true);
    for (uint8_t i = USAGE_HOUR; i < USAGE_PERIODS; i++)
        if (strlen(usage_period_names[i]) == size && memcmp(p, usage_period_names[i], size) == 0)
            return r->period == USAGE_ALL && (r->period = i);
    return false;
}

int usage_by(const char *name, const char *words, struct usage_ask *ret, struct error *err)
{
    struct usage_ask r = *ret;
    r.by_agent = r.by_key = false;
    r.period = USAGE_ALL;
    for (const char *p = words; !str_eq(words, usage_period_names[USAGE_ALL]);) {
        const size_t n = strcspn(p, ",");
        if (!take_word(p, n, &r))
            return refuse_words(name, words, err);
        p += n;
        if (!*p++)
            break;
    }
    *ret = r;
    return 0;
}

int usage_read(int (*ask)(void *context, const struct usage_ask *r, struct usage_list *ret, struct error *err),
               void *context, struct usage_ask *r, void (*each)(struct buf *out, const struct usage_row *row),
               struct buf *out, struct error *err)
{
    cleanup(freep) struct usage_list *page = calloc(1, sizeof *page);
    uint32_t count = 0;
    if (!page)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    do {
        int e = ask(context, r, page, err);
        if (e < 0)
            return e;
        count += page->count;
        if (count > USAGE_MAX_ROWS) {
            (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "these are more than %u rows", USAGE_MAX_ROWS);
            return err_remedy(err, "ask for a later since, for one agent or key, or by day or month");
        }
        for (uint32_t i = 0; i < page->count; i++)
            each(out, &page->rows[i]);
        r->after = page->next;
    } while (page->is_cut);
    return out->failed ? err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory for the answer") : 0;
}

void usage_json_begin(struct buf *out, const struct usage_ask *r)
{
    char since[32], until[32];
    json_open(out, '{');
    json_key(out, "since"), json_put_string(out, key_time(r->since_ms / LIMIT_HOUR_MS * LIMIT_HOUR_MS, since));
    json_key(out, "until"), json_put_string(out, key_time((r->until_ms / LIMIT_HOUR_MS + 1) * LIMIT_HOUR_MS, until));
    json_key(out, "period"), json_put_string(out, usage_period_names[r->period]);
    json_key(out, "rows");
    json_open(out, '[');
}

void usage_json_row(struct buf *out, const struct usage_row *row)
{
    char from[32];
    json_open(out, '{');
    json_key(out, "from"), json_put_string(out, row->at_ms ? key_time(row->at_ms, from) : NULL);
    json_key(out, "agent_id"), json_put_string(out, row->agent_id);
    json_key(out, "key_id"), json_put_string(out, row->key_id);
    json_key(out, "runs"), json_uint(out, row->runs);
    json_key(out, "unmeasured"), json_uint(out, row->unmeasured);
    json_key(out, "cpu_ms"), json_milli(out, row->use.cpu_us);
    json_key(out, "memory_mib_seconds"), json_milli(out, row->use.memory_mib_ms);
    json_key(out, "bytes_in"), json_uint(out, row->use.bytes_in);
    json_key(out, "bytes_out"), json_uint(out, row->use.bytes_out);
    json_close(out, '}');
}

void usage_json_end(struct buf *out)
{
    json_close(out, ']');
    json_close(out, '}');
    (void)buf_addc(out, '\n');
}

void usage_csv_begin(struct buf *out)
{
    (void)buf_adds(out, "from,agent_id,key_id,runs,unmeasured,cpu_ms,memory_mib_seconds,bytes_in,bytes_out\n");
}

static void put_milli(struct buf *out, uint64_t v)
{
    (void)buf_addf(out, "%llu.%03llu,", (unsigned long long)(v / 1000), (unsigned long long)(v % 1000));
}

void usage_csv_row(struct buf *out, const struct usage_row *row)
{
    char from[32];
    csv_cell(out, key_time(row->at_ms, from), ',');
    csv_cell(out, row->agent_id ? row->agent_id : "", ',');
    csv_cell(out, row->key_id ? row->key_id : "", ',');
    (void)buf_addf(out, "%llu,%llu,", (unsigned long long)row->runs, (unsigned long long)row->unmeasured);
    put_milli(out, row->use.cpu_us);
    put_milli(out, row->use.memory_mib_ms);
    (void)buf_addf(out, "%llu,%llu\n", (unsigned long long)row->use.bytes_in, (unsigned long long)row->use.bytes_out);
}
