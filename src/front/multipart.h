/* multipart.h - multipart/form-data (RFC 7578), in which clients send and get several files at once. No state, no
 * service: everything here may be called with any bytes.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"

#define MULTIPART_MAX 1000u /* parts */
struct multipart_part {
    const char *name, *filename; /* in the arena; name "", filename NULL: none */
    const char *data;            /* borrowed */
    size_t size;
};
/* Calls take() with each part of a body, until it says false. 0; -EBADMSG: the type has no boundary, or the body does
 * not end with it; -EMFILE: more than MULTIPART_MAX parts. */
int multipart_read(const char *content_type, const char *data, size_t size, struct arena *a,
                   bool (*take)(void *context, const struct multipart_part *part), void *context);
#define MULTIPART_BOUNDARY_SIZE 33u
/* One that no file has in it, since none can know it. */
void multipart_make_boundary(char ret[static MULTIPART_BOUNDARY_SIZE]);
/* The boundary and header lines before the bytes of a file. name and type are ours, filename anyone's. */
void multipart_put_head(struct buf *b, const char *boundary, const char *name, const char *filename, const char *type);
