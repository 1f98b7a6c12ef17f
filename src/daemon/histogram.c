#include "daemon/histogram.h"

#include <stdatomic.h>

void histogram_add(struct histogram *h, const struct histogram_bounds *b, uint64_t value)
{
    uint32_t i = 0;
    while (i < b->count && value > b->bound[i])
        i++;
    (void)atomic_fetch_add_explicit(&h->bucket[i], 1, memory_order_relaxed);
    (void)atomic_fetch_add_explicit(&h->sum, value, memory_order_relaxed);
}

uint64_t histogram_count(const struct histogram *h)
{
    uint64_t n = 0;
    for (size_t i = 0; i < ARRAY_LEN(h->bucket); i++)
        n += atomic_load_explicit(&h->bucket[i], memory_order_relaxed);
    return n;
}

void decimal_text(uint64_t value, uint64_t divisor, struct buf *out)
{
    uint64_t rest = value % divisor;
    (void)buf_addf(out, "%llu", (unsigned long long)(value / divisor));
    if (rest)
        (void)buf_addc(out, '.');
    for (; rest; rest = rest % divisor) {
        divisor /= 10;
        (void)buf_addc(out, (char)('0' + rest / divisor));
    }
}

static void open_bucket(const char *name, const char *labels, struct buf *out)
{
    (void)buf_addf(out, "%s_bucket{%s%sle=\"", name, labels, *labels ? "," : "");
}

static void open_total(const char *name, const char *what, const char *labels, struct buf *out)
{
    (void)buf_addf(out, *labels ? "%s_%s{%s} " : "%s_%s%s ", name, what, labels);
}

void histogram_text(const struct histogram *h, const struct histogram_bounds *b, const char *name, const char *labels,
                    struct buf *out)
{
    uint64_t below = 0;
    for (uint32_t i = 0; i <= b->count; i++) {
        below += atomic_load_explicit(&h->bucket[i], memory_order_relaxed);
        open_bucket(name, labels, out);
        if (i < b->count)
            decimal_text(b->bound[i], b->divisor, out);
        else
            (void)buf_adds(out, "+Inf");
        (void)buf_addf(out, "\"} %llu\n", (unsigned long long)below);
    }
    open_total(name, "sum", labels, out);
    decimal_text(atomic_load_explicit(&h->sum, memory_order_relaxed), b->divisor, out);
    (void)buf_addc(out, '\n');
    open_total(name, "count", labels, out);
    (void)buf_addf(out, "%llu\n", (unsigned long long)below);
}
