/* snapshot_cut.h - where a stream is cut into chunks: by what stands there, so that equal stretches of two streams are
 * cut alike wherever they begin («content-defined chunking»; Xia et al., FastCDC, USENIX ATC 2016, without its second
 * mask). Pure. */
#pragma once
#include "base/base.h"

#define CHUNK_MIN  (16 * KIB)
#define CHUNK_MAX  (256 * KIB)
#define CHUNK_MASK UINT64_C(0xffff000000000000) /* 16 bits: 64 KiB behind the least, on the average */

struct cutter {
    uint64_t hash;
    size_t size; /* of the chunk so far */
};
/* How many bytes of data belong to the chunk that is under way; *ret_is_end: it ends with them. */
size_t cutter_take(struct cutter *c, const void *data, size_t size, bool *ret_is_end);
