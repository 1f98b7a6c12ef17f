/* artifacts.h - what is kept of a run: code, output, plan and the files left in /workspace, by content hash.
 *
 *   <path>/<execution id>/manifest.json     names, sizes, hashes; complete or what was left out and why; one artifact a
 * line <path>/<execution id>/<64 hex>          hard links to the contents <path>/objects/<2 hex>/<62 hex> contents,
 * each once however many runs share them
 *
 * The link count of an object says whether a run still names it: adding and sweeping need no lock against each other.
 * Directories 0700, files 0600. A sweep removes executions older than retention_days and then objects that no manifest
 * names.
 */
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "config/config.h"

struct artifacts {
    int dir; /* of this execution; -1: not kept */
    int objects;
    const char *path;
    uint64_t max_bytes; /* per execution */
    uint64_t used_bytes;
    uint32_t count, left_out;
    struct buf *manifest; /* owned; built up until artifacts_close */
    const char *execution_id;
    const char *receipt; /* borrowed: one JSON object, which becomes the manifest's last member; NULL: none. In a file
                            of its own it would cost more than it does to make */
    size_t receipt_size;
};
/* -errno with the remedy. execution_id: letters, digits, «-», «_», «.»; borrowed like path. */
int artifacts_open(struct artifacts *s, const char *path, uint64_t max_bytes, const char *execution_id, struct arena *a,
                   struct error *err);
/* Kept, or noted as left out (too large). role: code, stdout, stderr, plan, workspace. */
int artifacts_add(struct artifacts *s, const char *role, const char *name, const void *data, size_t size,
                  struct error *err);
/* Something of the run that cannot be added, and why: stands in the manifest. */
void artifacts_leave_out(struct artifacts *s, const char *role, const char *name, uint64_t size, const char *why);
int artifacts_close(struct artifacts *s, struct error *err); /* writes the manifest; also of one never opened */
struct sweep_result {
    uint64_t executions, objects, bytes; /* removed */
};
/* Goes on after a failure; the first one is told. */
int artifacts_sweep(const char *path, uint64_t before_ms, struct sweep_result *ret, struct error *err);
bool artifacts_id_is_valid(const char *id);
