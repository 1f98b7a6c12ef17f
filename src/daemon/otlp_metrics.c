/* otlp_metrics.c - the metrics as OTLP has them, from the text that /metrics answers with: one table of families for
 * both. The text is our own (metrics_write()): a line that is none of its forms is left out. */
#include "daemon/otlp_internal.h"

#include "base/json.h"
#include "base/parse.h"

#define MAX_LABELS  8u
#define MAX_BUCKETS 32u

struct span { /* within the text */
    const char *p;
    size_t size;
};
struct label {
    struct span name, value; /* value: escaped as in the text, which is JSON's way, too */
};
struct sample {
    struct span name, value;
    struct label labels[MAX_LABELS];
    size_t label_count;
};
enum kind { KIND_NONE, KIND_COUNTER, KIND_GAUGE, KIND_HISTOGRAM };
struct writer {
    struct buf *out;
    uint64_t start_ns, now_ns;
    struct span name, help;
    enum kind kind;
    bool is_open; /* a metric, with its list of points */
    struct span bounds[MAX_BUCKETS];
    uint64_t counts[MAX_BUCKETS]; /* cumulative */
    size_t buckets;
    struct span sum;
};

/* --- the text ----------------------------------------------------------------------------------------------- */

static bool is_span(struct span s, const char *text)
{
    return s.size == strlen(text) && memcmp(s.p, text, s.size) == 0;
}

static bool take_until(const char **at, const char *end, char stop, struct span *ret)
{
    const char *found = memchr(*at, stop, (size_t)(end - *at));
    if (!found)
        return false;
    *ret = (struct span){ *at, (size_t)(found - *at) };
    *at = found + 1;
    return true;
}

static bool take_quoted(const char **at, const char *end, struct span *ret)
{
    const char *p = *at;
    while (p < end && *p != '"')
        p += *p == '\\' ? 2 : 1;
    if (p >= end)
        return false;
    *ret = (struct span){ *at, (size_t)(p - *at) };
    *at = p + 1;
    return true;
}

static bool take_labels(const char **at, const char *end, struct sample *s)
{
    while (*at < end && **at != '}') {
        if (s->label_count == MAX_LABELS)
            return false;
        struct label *l = &s->labels[s->label_count++];
        if (!take_until(at, end, '=', &l->name) || *at >= end || *(*at)++ != '"' || !take_quoted(at, end, &l->value))
            return false;
        *at += *at < end && **at == ',';
    }
    return *at + 1 < end && *(*at)++ == '}' && *(*at)++ == ' ';
}

static bool is_number(struct span s)
{
    for (size_t i = 0; i < s.size; i++)
        if (!((s.p[i] >= '0' && s.p[i] <= '9') || (s.p[i] == '.' && i && i + 1 < s.size)))
            return false;
    return s.size > 0;
}

static bool read_sample(const char *line, const char *end, struct sample *ret)
{
    const size_t n = (size_t)(end - line);
    const char *brace = memchr(line, '{', n), *at = line;
    *ret = (struct sample){ 0 };
    bool ok = brace ? take_until(&at, end, '{', &ret->name) && take_labels(&at, end, ret)
                    : take_until(&at, end, ' ', &ret->name);
    ret->value = (struct span){ at, (size_t)(end - at) };
    return ok && is_number(ret->value);
}

/* --- points --------------------------------------------------------------------------------------------------- */

static void put_span(struct buf *b, const char *key, struct span s, char quote)
{
    json_key(b, key);
    if (quote)
        (void)buf_addc(b, quote);
    (void)buf_add(b, s.p, s.size);
    if (quote)
        (void)buf_addc(b, quote);
}

static void put_ns(struct buf *b, const char *key, uint64_t ns)
{
    json_key(b, key);
    (void)buf_addf(b, "\"%llu\"", (unsigned long long)ns);
}

static void begin_point(const struct writer *w, const struct sample *s)
{
    json_open(w->out, '{');
    json_key(w->out, "attributes");
    json_open(w->out, '[');
    for (size_t i = 0; i < s->label_count; i++) {
        if (is_span(s->labels[i].name, "le"))
            continue;
        json_open(w->out, '{');
        put_span(w->out, "key", s->labels[i].name, '"');
        json_key(w->out, "value"), json_open(w->out, '{');
        put_span(w->out, "stringValue", s->labels[i].value, '"');
        json_close(w->out, '}'), json_close(w->out, '}');
    }
    json_close(w->out, ']');
    if (w->kind != KIND_GAUGE)
        put_ns(w->out, "startTimeUnixNano", w->start_ns);
    put_ns(w->out, "timeUnixNano", w->now_ns);
}

static void put_number_point(const struct writer *w, const struct sample *s)
{
    begin_point(w, s);
    put_span(w->out, "asDouble", s->value, '\0');
    json_close(w->out, '}');
}

static void note_bucket(struct writer *w, const struct sample *s)
{
    char text[24];
    uint64_t count = 0;
    if (w->buckets == MAX_BUCKETS || s->value.size >= sizeof text)
        return;
    memcpy(text, s->value.p, s->value.size);
    text[s->value.size] = '\0';
    (void)parse_u64(text, &count);
    for (size_t i = 0; i < s->label_count; i++)
        if (is_span(s->labels[i].name, "le"))
            w->bounds[w->buckets] = s->labels[i].value;
    w->counts[w->buckets++] = count;
}

/* The last bucket is +Inf, which OTLP does not name; its counts are each bucket's own. */
static void put_histogram_point(struct writer *w, const struct sample *s)
{
    begin_point(w, s);
    put_span(w->out, "count", s->value, '"');
    if (w->sum.p)
        put_span(w->out, "sum", w->sum, '\0');
    json_key(w->out, "bucketCounts"), json_open(w->out, '[');
    for (size_t i = 0; i < w->buckets; i++)
        (void)buf_addf(w->out, "%s\"%llu\"", i ? "," : "",
                       (unsigned long long)(w->counts[i] - (i ? w->counts[i - 1] : 0)));
    json_close(w->out, ']');
    json_key(w->out, "explicitBounds"), json_open(w->out, '[');
    for (size_t i = 0; i + 1 < w->buckets; i++) {
        (void)buf_adds(w->out, i ? "," : "");
        (void)buf_add(w->out, w->bounds[i].p, w->bounds[i].size);
    }
    json_close(w->out, ']'), json_close(w->out, '}');
    w->buckets = 0;
    w->sum = (struct span){ 0 };
}

/* --- metrics -------------------------------------------------------------------------------------------------- */

static void close_metric(struct writer *w)
{
    if (!w->is_open)
        return;
    json_close(w->out, ']');
    if (w->kind != KIND_GAUGE)
        json_key(w->out, "aggregationTemporality"), json_uint(w->out, 2); /* cumulative */
    if (w->kind == KIND_COUNTER)
        json_key(w->out, "isMonotonic"), json_bool(w->out, true);
    json_close(w->out, '}'), json_close(w->out, '}');
    w->is_open = false;
}

static void open_metric(struct writer *w)
{
    static const char *const data[] = {
        [KIND_COUNTER] = "sum", [KIND_GAUGE] = "gauge", [KIND_HISTOGRAM] = "histogram"
    };
    if (w->is_open)
        return;
    w->is_open = true;
    json_open(w->out, '{');
    put_span(w->out, "name", w->name, '"');
    json_key(w->out, "description"), json_bytes(w->out, w->help.p, w->help.size);
    json_key(w->out, data[w->kind]), json_open(w->out, '{');
    json_key(w->out, "dataPoints"), json_open(w->out, '[');
}

/* «# HELP name text», «# TYPE name kind» */
static void take_comment(struct writer *w, const char *line, const char *end)
{
    struct span what, name;
    const char *at = line + 2;
    if (end - line < 2 || !take_until(&at, end, ' ', &what) || !take_until(&at, end, ' ', &name))
        return;
    const struct span rest = { at, (size_t)(end - at) };
    close_metric(w);
    if (is_span(what, "HELP")) {
        w->name = name, w->help = rest, w->kind = KIND_NONE;
        return;
    }
    w->kind = is_span(rest, "counter")     ? KIND_COUNTER
              : is_span(rest, "gauge")     ? KIND_GAUGE
              : is_span(rest, "histogram") ? KIND_HISTOGRAM
                                           : KIND_NONE;
}

static void take_sample(struct writer *w, const struct sample *s)
{
    const size_t n = w->name.size;
    if (w->kind == KIND_NONE || s->name.size < n || memcmp(s->name.p, w->name.p, n) != 0)
        return;
    const struct span suffix = { s->name.p + n, s->name.size - n };
    open_metric(w);
    if (w->kind != KIND_HISTOGRAM)
        put_number_point(w, s);
    else if (is_span(suffix, "_bucket"))
        note_bucket(w, s);
    else if (is_span(suffix, "_sum"))
        w->sum = s->value;
    else if (is_span(suffix, "_count"))
        put_histogram_point(w, s);
}

void otlp_write_metrics(const struct otlp_resource *r, const char *text, uint64_t start_ns, uint64_t now_ns,
                        struct buf *out)
{
    struct writer w = { .out = out, .start_ns = start_ns, .now_ns = now_ns };
    otlp_begin(r, "resourceMetrics", "scopeMetrics", "metrics", out);
    for (const char *line = text; *line;) {
        const char *end = line + strcspn(line, "\n");
        struct sample s;
        if (*line == '#')
            take_comment(&w, line, end);
        else if (read_sample(line, end, &s))
            take_sample(&w, &s);
        line = *end ? end + 1 : end;
    }
    close_metric(&w);
    otlp_end(out);
}
