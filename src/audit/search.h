/* search.h - lines of the audit by agent, time, reason, rule and action, through all files, oldest first. */
#pragma once
#include "audit/line.h"
#include "base/error.h"

struct search {
    const char *dir;                                                /* the log directory */
    const char *agent, *reason, *rule, *action, *execution, *level; /* NULL: any */
    uint64_t after;                                                 /* only lines with a larger number; 0: all */
    uint64_t before;                                                /* only lines with a smaller number; 0: all */
    bool is_end;                 /* only how runs ended: finished, refused, recovered */
    uint64_t since_ms, until_ms; /* 0: from the beginning; until: 0 is to the end; both inclusive */
    uint64_t limit;              /* the last so many; 0: all */
    uint64_t deadline_us;        /* of CLOCK_MONOTONIC: what was found until then; 0: to the end */
    bool no_index;
};
struct search_result {
    uint64_t found;
    uint64_t bytes_read;   /* of the audit itself */
    uint64_t unreadable;   /* lines that are none */
    bool is_late;          /* the deadline came first ... */
    uint64_t resume_after; /* ... and the next search begins behind this number (where `limit` is 0) */
    uint64_t
        resume_before; /* where `limit` is not: the next one ends before this number; 0: there is no index to go by */
};
/* The line without its newline; false: that is enough. */
typedef bool search_hit(void *context, const char *line, size_t size, const struct audit_line *l);
/* Makes missing indexes beside the files where it may. */
int audit_search(const struct search *s, search_hit *hit, void *context, struct search_result *ret, struct error *err);
