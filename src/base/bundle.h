/* bundle.h - what was left in /workspace of a container, on its way from sandbox-engine to its client: one after the
 * other in memory that is sealed then.
 *
 * A head and a path, then the bytes, for each file; at the end a head and struct workspace_rest. Native byte order:
 * both are of one build on one machine. The writer keeps the limits (base/leftover.h), and the reader looks
 * again.
 */
#pragma once
#include "base/leftover.h"

enum bundle_kind { BUNDLE_FILE = 1, BUNDLE_REST };
struct bundle_head {
    uint32_t kind, path_size;
    uint64_t size; /* of what follows the path */
};

struct bundle {
    int fd;         /* -1: none */
    uint64_t whole; /* bytes, up to the end of the last whole file */
    uint64_t at;    /* and of the one that is being written */
};
/* 0 or -errno */
int bundle_open(struct bundle *b);
/* A file's head, in place of one that is not whole. 0 or -errno. */
int bundle_begin_file(struct bundle *b, const char *path, uint64_t size);
int bundle_add(struct bundle *b, const void *data, size_t size);
void bundle_end_file(struct bundle *b);
/* Nothing can be changed afterwards. 0 or -errno. */
int bundle_seal(struct bundle *b, const struct workspace_rest *rest);
void bundle_done(struct bundle *b);

typedef bool bundle_take(void *context, const char *path, const void *data, uint64_t size);
/* All of it is looked at before the first file is handed out, to take(), until that says false. -EBADMSG: no bundle, or
 * beyond the limits. */
int bundle_read(const void *data, size_t size, uint64_t max_bytes, bundle_take *take, void *context,
                struct workspace_rest *ret);
/* The same of a descriptor: only sealed memory, which cannot be shortened while it is read. */
int bundle_read_fd(int fd, uint64_t max_bytes, bundle_take *take, void *context, struct workspace_rest *ret);
