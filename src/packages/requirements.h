/* requirements.h - what a set is to hold, as pip and npm will read it: taken apart here, and written anew from the
 * parts.
 *
 * Neither program is trusted with the text of a tenant: both read options, paths, addresses and version control out of
 * it. Here a requirement is a name, extras, versions, a marker and hashes, or it is refused with its line; what is
 * written consists of these and nothing else.
 */
#pragma once
#include "base/buf.h"
#include "base/error.h"

#define REQUIREMENTS_MAX_SIZE (256 * KIB)

/* requirements.txt: PEP 508 names with extras, versions and a marker; --hash=sha256:HEX; comments; lines that end in a
 * backslash. BLAME_CALLER: what is not accepted, with its line and what to do. */
int requirements_read(const char *text, size_t size, struct buf *ret, struct error *err);
/* package.json: its dependencies and optionalDependencies, ranges of versions and tags. devDependencies and scripts are
 * left out, what would change where packages come from (workspaces, overrides) is refused. manifest.c */
int manifest_read(const char *text, size_t size, struct buf *ret, struct error *err);

#define LOCK_MAX_SIZE (4 * MIB) /* 10,000 packages of npm have 2 MiB */

/* What came of it: a line «name TAB version TAB hash TAB licence» for each package, the last two maybe empty, as the
 * sandbox has written it from pip's report or npm's package-lock.json. Those two are never read outside: they have no
 * bound of their own, and the tree of a JSON text takes a hundred times its size. -> a JSON array of {name, version,
 * hash, license} in the order of names; *ret_count: how many. is_hashed: each needs a hash. text[size] is a NUL; text
 * is changed. BLAME_GUEST where it is none. manifest.c */
int lock_read(char *text, size_t size, bool is_hashed, struct buf *ret, uint32_t *ret_count, struct error *err);
