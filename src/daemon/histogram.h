/* histogram.h - how values are spread: counted in buckets, written as Prometheus reads them.
 *
 * Values are whole numbers (microseconds, bytes); bounds belong to constants of this program. Adding takes no lock.
 * What is written is read bucket by bucket: its count is the sum of exactly the buckets that it shows, its sum may be
 * of a moment later.
 */
#pragma once
#include "base/buf.h"

#define HISTOGRAM_MAX_BOUNDS 20u
struct histogram_bounds {
    uint64_t divisor; /* 1000000: microseconds become seconds; 1: as they are */
    uint32_t count;
    uint64_t bound[HISTOGRAM_MAX_BOUNDS]; /* ascending; a value equal to a bound is below it */
};
struct histogram {
    _Atomic uint64_t sum, bucket[HISTOGRAM_MAX_BOUNDS + 1];
};

void histogram_add(struct histogram *h, const struct histogram_bounds *b, uint64_t value);
uint64_t histogram_count(const struct histogram *h);
/* name_bucket, name_sum, name_count. labels: «a="b",c="d"», or "". */
void histogram_text(const struct histogram *h, const struct histogram_bounds *b, const char *name, const char *labels,
                    struct buf *out);
/* value / divisor, exactly, without trailing zeros: 1500000, 1000000 -> 1.5. divisor: a power of ten. */
void decimal_text(uint64_t value, uint64_t divisor, struct buf *out);
