/* resolver.h - from a syntax tree to facts (fact.h), one file per language.
 *
 * A resolver sees hostile text: it walks with a TSTreeCursor and an explicit depth bound (never by recursion over
 * the tree), allocates only from the scan's arena, and stops when scan_stop() says so.
 */
#pragma once
#include <tree_sitter/api.h>

#include "base/arena.h"
#include "scan/fact.h"

#define SCAN_MAX_DEPTH 512u /* nodes nested deeper are not looked into, and the scan counts as incomplete */

struct scan_ctx {
    const char *text; /* not NUL-terminated; may hold anything */
    uint32_t size;
    struct arena *arena;
    bool is_cut; /* some bound was hit */
    void *sink;  /* the matcher's */
    bool (*emit)(struct scan_ctx *c, const struct fact *f);
    uint64_t deadline_us; /* clock_cpu_us() */
    uint32_t steps;
    uint32_t *lines, line_count; /* the engine's: where each line begins; NULL: not known */
    bool is_guess;               /* what is queued here is queued on suspicion (candidate.h) */
    bool is_below_root;          /* what is run here is run in a chroot: its paths are below another root */
    struct embedded *embedded;   /* programs inside this one (embedded.h); NULL: no process looks at them */
};
/* Counts a step; true (and is_cut) when time or steps are used up. Cheap: looks at the clock every 1024 steps. */
bool scan_stop(struct scan_ctx *c);
/* Sets byte and line; the column (in characters), too, where no table of lines is there. The engine looks up the
 * columns of what it reports by itself: doing it for each fact would be quadratic where a program is one long line. */
void scan_place(const struct scan_ctx *c, uint32_t byte, struct fact *f);

typedef void resolver_fn(struct scan_ctx *c, TSNode root);
resolver_fn resolve_python, resolve_node, resolve_bash, resolve_go, resolve_rust;
