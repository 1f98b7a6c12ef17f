/* manifest.h - reading what artifacts.h wrote of an execution: one artifact a line. */
#pragma once
#include "base/buf.h"
#include "base/error.h"
#include "base/members.h"

struct manifest_entry { /* slices of the text, escaped as in JSON */
    struct slice role, name, hash, left_out;
    uint64_t size;
};

/* The execution's directory, which the caller closes, and its manifest (buf_done, in any case). -ENOENT with
 * BLAME_CALLER: nothing is kept, or not yet. */
int manifest_open(const char *artifacts_dir, const char *execution_id, int *ret_dir, struct buf *ret,
                  struct error *err);
/* `visit` returns false when it has enough. */
void manifest_each(const char *text, size_t size, bool (*visit)(void *context, const struct manifest_entry *x),
                   void *context);
/* The run's receipt (run/receipt.h), its last member: false where it has none. */
#define MANIFEST_RECEIPT ",\"receipt\":"
bool manifest_receipt(const struct buf *manifest, struct slice *ret);
/* word: ROLE/NAME, which means one artifact whatever others are called; or, where that is none, the role, where only
 * one has it; or the name. Of several with that name the first: our own are listed before the files of the workspace,
 * and the roles code, plan, stdout and stderr never mean one of those, so that a program cannot put its own in their
 * place. -> the hash, which is the file's name in the directory. */
bool manifest_find(const struct buf *manifest, const char *word, char ret_hash[static 65], bool *ret_is_left_out);
