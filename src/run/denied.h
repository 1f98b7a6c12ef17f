/* denied.h - hostile acts that a layer without a report of its own stopped: what the program's error output says of it.
 *
 * A restricted bash refuses a redirection before anything is opened, and a file's permission, a mount or an absent
 * file is an errno of the program's. Both say so on stderr, with the path. A line counts when it names a target of
 * policy/target.h and is
 *   the restricted shell's own    it refused to write there
 *   an errno's, and the scan has found in the code that it writes such files: to look at one is no attempt
 * The text is the program's: it may accuse itself, and it may be silent. Silent is what the watch is for.
 */
#pragma once
#include "base/base.h"

#define DENIED_MAX 4u

struct denied {
    uint32_t size, count;
    char line[512]; /* of a longer one its beginning */
    struct {
        bool is_shell; /* the restricted shell's own words */
        char detail[160];
    } list[DENIED_MAX];
};

/* A piece of the error output. */
void denied_feed(struct denied *d, const char *data, size_t size);
/* What it was that was stopped, and by which layer; NULL: nothing. means_to_write: the scan's part. */
const char *denied_found(const struct denied *d, bool means_to_write);
