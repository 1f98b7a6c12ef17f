/* compiled_blob.h - the blob's own bytes; between compiled.c (format) and compiled_cache.c (files) only. */
#pragma once
#include "config/compiled.h"

struct blob_header {
    char magic[8];
    uint64_t checksum, main_size, size;
};

/* A blob that has been checked as far as its key. Borrows from the bytes. */
struct blob {
    struct unpack rest;
    struct bytes filter, filter_counting, key, guards;
};

struct blob_piece {
    const char *p;
    size_t size;
};

/* How much of a blob is wanted. source_is: whether a file holds exactly these pieces, one behind the other
 * (or is absent); NULL: sources are not looked at. */
struct blob_check {
    bool (*source_is)(const char *path, bool is_present, const struct blob_piece *pieces, size_t count);
    bool is_for_all; /* every guard; otherwise that of lang only */
    enum language lang;
};

int blob_key(const struct compiled_key *key, struct buf *out); /* -EMSGSIZE; buf_done(out) in any case */
void blob_file_name(const struct buf *key, char out[static 32]);
int blob_open(const void *data, size_t size, struct blob *ret); /* 0, or -EBADMSG */
/* The rest: 0, or -EBADMSG (damaged, or a source has changed). */
int blob_read(struct blob *b, const struct blob_check *c, struct compiled *ret);
