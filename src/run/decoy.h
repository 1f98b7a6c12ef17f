/* decoy.h - files whose reading says something: canaries that were planted, and secrets in the user's volumes. By
 * inotify, from outside: it costs the program nothing.
 *
 * A canary lies in the sandbox's own /workspace: no other process can have opened it. A volume is shared with the host:
 * that a file in it was opened while the run lasted is all that is known.
 */
#pragma once
#include "base/arena.h"
#include "run/observe.h"
#include "run/workspace.h"
#include "plan/request.h"

#define DECOY_MAX 64u

struct decoy {
    int inotify; /* -1: nothing is watched */
    uint32_t count;
    struct {
        int wd;
        uint32_t flags;       /* WATCH_CANARY, WATCH_SENSITIVE or WATCH_SETTINGS */
        uint64_t inode, size; /* of what lies in a volume */
        uint64_t line;        /* the hash of its longest line (base/encoded.h); 0: none is worth it */
        const char *path;     /* as the program sees it; borrowed */
        bool is_told;
    } list[DECOY_MAX];
    const struct profile *profile; /* NULL: nothing is looked for */
    struct workspace *workspace;
    bool waits_for_workspace; /* canaries to come */
    uint32_t unwatched;       /* files that are there and could not be watched */
    int why;                  /* errno of the last of them */
    uint64_t start_ms;
};

/* Watches the usual places of secrets in the volumes; canaries are waited for in w (NULL: none are planted). Nothing to
 * do unless data_exfiltration is looked for. */
void decoy_open(struct decoy *l, const struct profile *p, const struct run_request *r, struct workspace *w,
                struct arena *a);
/* The descriptor to poll for reading, or -1. */
int decoy_poll_fd(const struct decoy *l);
/* What was opened becomes events. */
void decoy_read(struct decoy *l, struct observe *o, struct client *c, uint64_t tag);
/* For isolation.missing: what was asked for and could not be watched. */
void decoy_missing(const struct decoy *l, struct strlist *missing);
void decoy_done(struct decoy *l);
