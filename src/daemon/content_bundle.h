/* content_bundle.h - what is kept of an execution (audit/artifacts.h) as objects of a content store: one with the
 * manifest and all that is small, and one for each large file.
 *
 *   «sandbox-agent artifacts 1» SPACE SIZE \n MANIFEST, then for each content HASH SPACE SIZE \n BYTES
 *
 * A content is compared with its hash when it is written and when it is read.
 */
#pragma once
#include "base/members.h"
#include "daemon/content.h"

#define CONTENT_DAY_SIZE 11u
void content_day(uint64_t ms, char ret[static CONTENT_DAY_SIZE]); /* UTC, «2026-11-28» */

/* manifest: as others shall see it, from the execution's directory. Small ones, and then all, are there before the list
 * of them. -EBADMSG, -ENOENT (BLAME_US): the directory does not hold what the manifest says. */
int content_bundle_write(struct content *s, const char *day, const char *id, int dir, const struct buf *manifest,
                         struct error *err);

bool content_bundle_is_there(struct content *s, const char *day,
                             const char *id); /* false also where it cannot be told */

struct content_bundle {
    struct buf text, manifest;
};
/* content_bundle_done() in any case. -ENOENT: there is none. */
int content_bundle_read(struct content *s, const char *day, const char *id, struct content_bundle *ret,
                        struct error *err);
void content_bundle_done(struct content_bundle *b);
/* The content of this hash, in memory, or for a large one in a file without a name in `scratch`: the descriptor, which
 * stands at its beginning. */
int content_bundle_open(struct content *s, const struct content_bundle *b, const char *day, const char *id,
                        const char *hash, const char *scratch, struct error *err);
