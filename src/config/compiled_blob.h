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
    struct bytes filter, filter_asking, filter_volumes, key, parts;
};

/* How much of a blob is wanted. source_is: whether a file holds exactly these bytes (or is absent); python_is:
 * whether python3 still has this stamp; NULL: neither is looked at. */
struct blob_check {
    bool (*source_is)(const char *path, bool is_present, struct bytes content);
    bool (*python_is)(const char *stamp);
    bool is_for_all; /* every guard; otherwise that of lang only */
    enum language lang;
};

int blob_key(const struct compiled_key *key, struct buf *out); /* -EMSGSIZE; buf_done(out) in any case */
void blob_file_name(const struct buf *key, char out[static 32]);
int blob_open(const void *data, size_t size, struct blob *ret); /* 0, or -EBADMSG */
/* The rest: 0, or -EBADMSG (damaged, or a source has changed). */
int blob_read(struct blob *b, const struct blob_check *c, struct compiled *ret);
