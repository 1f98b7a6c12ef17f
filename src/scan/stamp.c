#include "scan/stamp.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#ifndef SCAN_BUILD_ID
#error "SCAN_BUILD_ID comes from the Makefile"
#endif

#define PRIME UINT64_C(0x9fb21c651e98df25)

static uint64_t mix(uint64_t h, uint64_t v)
{
    h = (h ^ v) * PRIME;
    return h ^ h >> 29;
}

/* Eight bytes at a time: this is done on every run, over some 60 KB. */
void stamp_add(struct stamp *s, const void *p, size_t n)
{
    const char *c = p;
    uint64_t h = mix(s->hash, n), v;
    for (; n >= sizeof v; n -= sizeof v, c += sizeof v) {
        memcpy(&v, c, sizeof v);
        h = mix(h, v);
    }
    v = 0;
    memcpy(&v, c, n);
    s->hash = mix(h, v);
}

struct stamp stamp_start(void)
{
    struct stamp s = { UINT64_C(0x5ca9) };
    stamp_add(&s, SCAN_BUILD_ID, strlen(SCAN_BUILD_ID));
    return s;
}

int stamp_file(struct stamp *s, const char *path, struct buf *ret, size_t max_bytes)
{
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat st;
    if (fd < 0 && errno == ENOENT)
        stamp_add(s, "absent", 6);
    if (fd < 0 || fstat(fd, &st) < 0)
        return -errno;
    if (!S_ISREG(st.st_mode))
        return -EINVAL;
    if ((uint64_t)st.st_size > max_bytes)
        return -EFBIG;
    buf_init(ret, max_bytes + 4096);
    for (;;) {
        char chunk[32 * 1024];
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        int e = n < 0 ? -errno : n > 0 ? buf_add(ret, chunk, (size_t)n) : 0;
        if (e < 0) {
            buf_done(ret);
            return e;
        }
        if (n == 0)
            break;
    }
    stamp_add(s, ret->data, ret->size);
    return 0;
}

void stamp_print(const struct stamp *s, char out[static 24])
{
    (void)snprintf(out, 24, "%016llx", (unsigned long long)s->hash);
}
