#include "engine/archive.h"

#include <stdio.h>

#define BLOCK 512u
enum { TYPE_FILE = '0', TYPE_DIR = '5', TYPE_LONG_NAME = 'L' };

struct header { /* tar(5), «ustar» */
    char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], checksum[8], type, link[100], magic[6], version[2],
        user[32], group[32], major[8], minor[8], prefix[155], pad[12];
};
_Static_assert(sizeof(struct header) == BLOCK, "a tar header is a block");

static int add_header(struct buf *b, const char *name, uint32_t mode, char type, uint64_t size)
{
    struct header h = { .type = type, .magic = "ustar", .version = { '0', '0' } };
    memcpy(h.name, name, MIN_OF(strlen(name), sizeof h.name)); /* no NUL behind one of 100 bytes */
    (void)snprintf(h.mode, sizeof h.mode, "%07o", mode & 07777u);
    (void)snprintf(h.uid, sizeof h.uid, "%07o", 0u);
    (void)snprintf(h.gid, sizeof h.gid, "%07o", 0u);
    (void)snprintf(h.size, sizeof h.size, "%011llo", (unsigned long long)size);
    (void)snprintf(h.mtime, sizeof h.mtime, "%011o", 0u);
    memset(h.checksum, ' ', sizeof h.checksum);
    unsigned sum = 0;
    for (size_t i = 0; i < sizeof h; i++)
        sum += ((const unsigned char *)&h)[i];
    (void)snprintf(h.checksum, sizeof h.checksum, "%06o", sum);
    h.checksum[7] = ' ';
    return buf_add(b, &h, sizeof h);
}

static int add_data(struct buf *b, const void *data, size_t size)
{
    static const char zeros[BLOCK];
    int r = size ? buf_add(b, data, size) : 0;
    return r < 0 || size % BLOCK == 0 ? r : buf_add(b, zeros, BLOCK - size % BLOCK);
}

static int add_entry(struct buf *b, const char *name, uint32_t mode, char type, const void *data, size_t size)
{
    size_t n = strlen(name);
    int r = 0;
    if (n > 100) {
        r = add_header(b, "././@LongLink", 0, TYPE_LONG_NAME, n + 1);
        r = r < 0 ? r : add_data(b, name, n + 1);
    }
    r = r < 0 ? r : add_header(b, name, mode, type, size);
    return r < 0 ? r : add_data(b, data, size);
}

int archive_dir(struct buf *b, const char *name, uint32_t mode)
{
    return add_entry(b, name, mode, TYPE_DIR, NULL, 0);
}

int archive_file(struct buf *b, const char *name, uint32_t mode, const void *data, size_t size)
{
    return size > ARCHIVE_MAX ? -EFBIG : add_entry(b, name, mode, TYPE_FILE, data, size);
}

int archive_end(struct buf *b)
{
    static const char zeros[2 * BLOCK];
    return buf_add(b, zeros, sizeof zeros);
}
