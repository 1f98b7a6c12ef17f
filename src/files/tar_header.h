/* tar_header.h - the block before each entry of a tar archive: pax(1), «ustar Interchange Format». */
#pragma once
#include "files/tar.h"

#define TAR_NAME_MAX 100u

struct tar_header {
    char name[TAR_NAME_MAX], mode[8], uid[8], gid[8], size[12], mtime[12], sum[8], type, link[TAR_NAME_MAX], magic[6],
        version[2], uname[32], gname[32], major[8], minor[8], prefix[155], unused[12];
};
static_assert(sizeof(struct tar_header) == TAR_BLOCK, "a header is a block");

/* The sum of all bytes, those of `sum` as spaces. */
static inline uint32_t tar_sum(const struct tar_header *h)
{
    const unsigned char *p = (const unsigned char *)h;
    uint32_t sum = 0;
    for (size_t i = 0; i < sizeof *h; i++)
        sum += i >= offsetof(struct tar_header, sum) && i < offsetof(struct tar_header, type) ? ' ' : p[i];
    return sum;
}

static inline size_t tar_padding(uint64_t size)
{
    return (size_t)(-size % TAR_BLOCK);
}
