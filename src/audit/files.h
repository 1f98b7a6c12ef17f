/* files.h - the files of one audit, in their order: audit-<first sequence>.jsonl ..., then audit.jsonl. */
#pragma once
#include "audit/audit.h"

#define FILES_NAME_SIZE 48
#define FILES_MAX       100000u

struct audit_file {
    uint64_t first; /* by its name; UINT64_MAX: the current one */
    uint64_t size;  /* when it was listed */
    uint64_t dev, ino;
};
struct audit_files {
    int dir_fd;
    struct audit_file *list; /* owned */
    size_t count;
    int newest; /* the last of the list, open since it was listed: it may be renamed meanwhile */
};

void files_rotated_name(uint64_t first, char out[static FILES_NAME_SIZE]);
/* "audit-7.jsonl", "idx" -> "audit-7.idx" */
void files_index_name(const char *name, const char *ending, char out[static FILES_NAME_SIZE]);
const char *files_name(const struct audit_file *f, char out[static FILES_NAME_SIZE]);

/* Opens the directory, too. 0 (also with no file in it), or an error. Waits until no writer rotates, unless the caller
 * has the lock. */
int files_list(const char *dir, bool has_lock, struct audit_files *ret, struct error *err);
void files_done(struct audit_files *f);
int files_open(const struct audit_files *f, size_t i); /* read-only; -errno */
/* Shared hold on the writers' lock, for a consistent look; the descriptor to close, or -errno (no lock file: nothing to
 * wait for). */
int files_lock(int dir_fd);
