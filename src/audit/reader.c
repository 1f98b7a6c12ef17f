#include "audit/reader.h"

#define BUFFER_BYTES (256u * 1024u)

int reader_init(struct reader *r, int fd, uint64_t offset, uint64_t until)
{
    *r = (struct reader){ .fd = fd, .offset = offset, .until = until, .data = malloc(BUFFER_BYTES) };
    return r->data ? 0 : -ENOMEM;
}

void reader_done(struct reader *r)
{
    free(r->data);
    *r = (struct reader){ .fd = -1 };
}

/* Moves what is unread to the front and reads behind it. False: nothing came. */
static bool fill(struct reader *r)
{
    memmove(r->data, r->data + r->pos, r->size - r->pos);
    r->offset += r->pos;
    r->size -= r->pos;
    r->pos = 0;
    uint64_t at = r->offset + r->size;
    if (at >= r->until || r->size == BUFFER_BYTES)
        return false;
    size_t want = MIN_OF(BUFFER_BYTES - r->size, r->until - at);
    ssize_t n;
    do
        n = pread(r->fd, r->data + r->size, want, (off_t)at);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        r->fault = -errno;
    if (n <= 0)
        return false;
    r->size += (size_t)n;
    return true;
}

/* A line longer than the buffer: only its beginning is looked at. */
static void skip_rest(struct reader *r, struct raw_line *l)
{
    static char scratch[4096];
    uint64_t at = r->offset + r->size;
    while (at < r->until) {
        ssize_t n = pread(r->fd, scratch, MIN_OF(sizeof scratch, r->until - at), (off_t)at);
        if (n <= 0) {
            r->fault = n < 0 ? -errno : 0;
            break;
        }
        const char *newline = memchr(scratch, '\n', (size_t)n);
        at += newline ? (uint64_t)(newline + 1 - scratch) : (uint64_t)n;
        if (newline) {
            l->has_newline = true;
            break;
        }
    }
    l->bytes = at - l->offset;
}

bool reader_next(struct reader *r, struct raw_line *ret)
{
    const char *newline;
    size_t searched = 0;
    while (!(newline = memchr(r->data + r->pos + searched, '\n', r->size - r->pos - searched))) {
        searched = r->size - r->pos;
        if (!fill(r))
            break;
    }
    if (r->fault || (!newline && r->pos == r->size))
        return false;
    const char *start = r->data + r->pos;
    size_t size = newline ? (size_t)(newline - start) : r->size - r->pos;
    *ret = (struct raw_line){ .p = start,
                              .size = size,
                              .offset = r->offset + r->pos,
                              .bytes = size + (newline != NULL),
                              .has_newline = newline != NULL };
    r->pos += (size_t)ret->bytes;
    if (!newline && r->size == BUFFER_BYTES) {
        skip_rest(r, ret);
        r->offset = ret->offset + ret->bytes;
        r->pos = r->size = 0;
        ret->size = AUDIT_LINE_MAX; /* enough to be recognised as too long; the bytes stay where they were */
    }
    ret->is_whole = ret->has_newline && ret->bytes <= AUDIT_LINE_MAX;
    return !r->fault;
}

int reader_hash(int fd, uint64_t offset, uint64_t bytes, const char *end, char out[static AUDIT_HASH_SIZE])
{
    static const uint64_t most = 64 * MIB; /* beyond it the hash is of the beginning: the length says the rest */
    size_t size = (size_t)MIN_OF(bytes, most), there = (size_t)MIN_OF(bytes - strlen(end), most);
    cleanup(freep) char *data = malloc(there + strlen(end) + 1);
    if (!data)
        return -ENOMEM;
    ssize_t n = pread(fd, data, there, (off_t)offset);
    if (n != (ssize_t)there)
        return n < 0 ? -errno : -EIO;
    memcpy(data + there, end, strlen(end) + 1);
    audit_hash(data, size, out);
    return 0;
}
