/* records.h - what the commands that look at records (audit, artifacts) share: words of the command line, and where
 * things are. */
#pragma once
#include "base/error.h"
#include "run/locations.h"
#include "run/policy.h"

/* One option of such a command. Exactly one of value, flag and many is not NULL. */
struct word {
    const char *name; /* "--agent"; NULL ends the table */
    const char **value;
    bool *flag;
    struct strlist *many;
};
/* argv[0] is the command's name and not looked at. What is no option lands in `rest` (at most max_rest words). 0, or
 * BLAME_CALLER. */
int words_parse(int argc, char **argv, const struct word *table, const char **rest, size_t max_rest, size_t *ret_count,
                struct error *err);

struct records {
    struct compiled policy; /* compiled_done() */
    struct locations places;
};
/* Reads the configuration (--config, or NULL) and resolves the places: the same that a run uses. */
int records_find(const struct paths *p, const char *config, struct arena *a, struct records *ret, struct error *err);

/* RFC 3339, seconds since 1970, or how long ago (90s 30m 2h 7d 2w). */
int records_time(const char *option, const char *text, uint64_t now_ms, uint64_t *ret_ms, struct error *err);
int records_number(const char *option, const char *text, uint64_t max, uint64_t *ret, struct error *err);
/* Prints the error as every command does; returns the exit code. */
int records_fail(const struct error *err);
