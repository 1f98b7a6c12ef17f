/* lure.h - files whose reading says something: canaries that were planted, and secrets in the user's volumes. By inotify, from outside: it costs the
 * program nothing.
 *
 * A canary lies in the sandbox's own /workspace: nobody else can have opened it. A volume is shared with the host: that a file in it was opened
 * while the run lasted is all that is known.
 */
#pragma once
#include "base/arena.h"
#include "cli/observe.h"
#include "cli/workspace.h"
#include "plan/request.h"

#define LURE_MAX 64u

struct lure {
    int inotify; /* -1: nothing is watched */
    uint32_t count;
    struct {
        int wd;
        uint32_t flags; /* WATCH_CANARY or WATCH_SENSITIVE */
        const char *path; /* as the program sees it; borrowed */
        bool is_told;
    } list[LURE_MAX];
    bool waits_for_workspace; /* canaries to come */
    uint64_t start_ms;
};

/* Watches the usual places of secrets in the volumes; canaries are waited for. Nothing to do unless data_exfiltration is looked for. */
void lure_open(struct lure *l, const struct profile *p, const struct run_request *r, struct arena *a);
/* The descriptor to poll for reading, or -1. */
int lure_poll_fd(const struct lure *l, const struct workspace *w);
/* What was opened becomes events. */
void lure_read(struct lure *l, const struct profile *p, struct workspace *w, struct observe *o, struct client *c, uint64_t tag);
void lure_done(struct lure *l);
