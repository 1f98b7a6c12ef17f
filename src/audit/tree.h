/* tree.h - a Merkle tree (RFC 6962) over the lines of the audit: short proofs that one history continues another.
 *
 * Leaf n is line n + 1 without its newline: SHA-256(00 LINE); a node: SHA-256(01 LEFT RIGHT). The writer adds lines
 * to audit.tree beside the chain, a command line each, a service 64 at once: the leaf, and behind it the nodes that it
 * completes, 32 bytes each. The file follows from the lines and may be deleted at any time. It is behind where a writer
 * was killed or has yet to write, or lines are older than it: a line's writer never waits for that, tree_update()
 * catches up. Proofs are checked by the functions above the line, which need no file.
 */
#pragma once
#include "audit/audit.h"

struct tree_hash {
    uint8_t bytes[32];
};
#define TREE_PROOF_MAX 64u
struct tree_proof {
    size_t count;
    struct tree_hash list[TREE_PROOF_MAX];
};

void tree_leaf(const void *line, size_t size, struct tree_hash *ret);
void tree_node(const struct tree_hash *left, const struct tree_hash *right, struct tree_hash *ret);
/* The roots of a growing tree: as much as is needed of it. Zeroed: empty. */
struct tree_front {
    uint64_t count;
    struct tree_hash level[64];
};
void tree_front_add(struct tree_front *f, const struct tree_hash *leaf);
void tree_front_root(const struct tree_front *f, struct tree_hash *ret);
/* Whether the tree of `size` leaves begins with that of `old` leaves. */
bool tree_continues(uint64_t old, const struct tree_hash *old_root, uint64_t size, const struct tree_hash *root,
                    const struct tree_proof *proof);
bool tree_includes(uint64_t index, const struct tree_hash *leaf, uint64_t size, const struct tree_hash *root,
                   const struct tree_proof *proof);

/* --- the file --- */

/* The descriptor, or -errno. */
int tree_open(int audit_dir, bool may_create);
int tree_count(int fd, uint64_t *ret);
/* n more leaves, at most TREE_BATCH, the first with this index. Other leaves from there on are of lines that are gone,
 * and go, too; equal ones stay. -EAGAIN: those before it are missing (tree_update()). The audit's lock is held. */
#define TREE_BATCH AUDIT_TREE_BATCH
int tree_append(int fd, uint64_t index, const struct tree_hash *leaves, size_t n);
int tree_root(int fd, uint64_t size, struct tree_hash *ret);
int tree_read_leaf(int fd, uint64_t index, struct tree_hash *ret);
int tree_consistency(int fd, uint64_t old, uint64_t size, struct tree_proof *ret);
int tree_inclusion(int fd, uint64_t index, uint64_t size, struct tree_proof *ret);

/* Takes in what the lines have more; takes and gives back the audit's lock, so that writers wait for some thousand
 * lines at most. *ret_fd: open, the caller's. -ENODATA: a line is missing, archived elsewhere or cut off, and its
 * leaf, too. */
int tree_update(const char *dir, int *ret_fd, uint64_t *ret_count, struct error *err);
