/* tree.h - the tree of a package set: taken from where pip or npm left it, and addressed by the hash of its contents.
 *
 * What a build leaves is hostile: links that lead out, fifos, devices, names of any bytes, a million files. Everybody
 * inside is dead when it is taken, so nothing changes any more. One name at a time is opened from the descriptor above
 * it, never through a link or into another mount. A tree with something in it that a set may not have is refused as a
 * whole: nothing is left out in silence.
 *
 * Hash: SHA-256 over one record an entry, directories before what is in them, names of a directory in the order of
 * their bytes:
 *     "d" PATH NUL | "l" PATH NUL TARGET NUL | "f" ("x" or "-") PATH NUL SHA-256 of the content (32 bytes)
 * behind "sandbox-agent packages 1" NUL. Of modes only whether the owner may execute a file; no times, no owners.
 */
#pragma once
#include "audit/digest.h"
#include "base/error.h"

#define PACKAGE_TREE_MAX_ENTRIES 200000u /* of any kind; numpy, scipy and pandas have 5,000 together */
#define PACKAGE_TREE_MAX_DEPTH   48u     /* directories below each other; a node_modules has 20 */
#define PACKAGE_TREE_MAX_PATH    1024u   /* bytes */

struct package_tree {
    uint64_t files, links, bytes;
    uint64_t native; /* files with ELF's magic */
    char hash[DIGEST_HEX_SIZE];
};

/* Copies what lies below `from` into the empty directory `to`; directories 0755, files 0444 or 0555, all ours. 0, or
 * an error: BLAME_GUEST where the tree is at fault, BLAME_HOST where there is no room. `to` is then the caller's to
 * remove. */
int package_tree_copy(int from, int to, uint64_t max_bytes, struct package_tree *ret, struct error *err);
/* The hash of a tree that is there, and its numbers. */
int package_tree_hash(int dir, struct package_tree *ret, struct error *err);
/* Whether a link at this path, relative to the tree, stays in it: relative, with .. at its beginning only, and not more
 * of them than directories above it. (Behind a name .. would start from wherever that name leads.) */
bool package_link_is_inside(const char *path, const char *target);
