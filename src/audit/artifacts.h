/* artifacts.h - what is kept of a run: code, output, plan and the files left in /workspace, by content hash.
 *
 *   <path>/<execution id>/manifest.json     names, sizes, hashes; complete or what was left out and why
 *   <path>/objects/<2 hex>/<62 hex>         contents, each once however many runs share them
 *
 * Directories 0700, files 0600. A sweep removes executions older than retention_days and then objects nobody names.
 */
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "config/config.h"

struct artifacts {
    int dir;             /* -1: not kept */
    const char *path;
    uint64_t max_bytes;  /* per execution */
    uint64_t used_bytes;
    struct buf *manifest; /* owned; built up until artifacts_close */
    const char *execution_id;
};
int artifacts_open(struct artifacts *s, const char *path, uint64_t max_bytes, const char *execution_id, struct arena *a,
                   struct error *err);
/* Kept, or noted as left out (too large). role: code, stdout, stderr, plan, workspace. */
int artifacts_add(struct artifacts *s, const char *role, const char *name, const void *data, size_t size, struct error *err);
int artifacts_add_fd(struct artifacts *s, const char *role, const char *name, int fd, struct error *err);
int artifacts_close(struct artifacts *s, struct error *err); /* writes the manifest; also of one never opened */
struct sweep_result {
    uint64_t executions, objects, bytes; /* removed */
};
int artifacts_sweep(const char *path, uint64_t before_ms, struct sweep_result *ret, struct error *err);
