/* error.h - one failure, told once, for a tired person at night.
 *
 * The caller owns the struct error; the function that fails fills it with err_set() and
 * returns what err_set() returns, so the text and the code cannot disagree.
 * Faults are negative errno values; a filled error has code < 0.
 * `step` names a launch step («SECCOMP») or is empty; `field` the part of the
 * request that it is about, as the front calls it (request_field.h), or is empty;
 * `remedy` says what to do.
 */
#pragma once
#include "base/base.h"

/* Who has to act. Decides the exit code (and later the HTTP status). */
enum blame {
    BLAME_US = 0, /* a bug of ours                                  -> 125 */
    BLAME_HOST,   /* this machine cannot do it                      -> 125 */
    BLAME_CALLER, /* bad option, file, configuration                -> 2   */
    BLAME_POLICY, /* refused by a rule                              -> 123 */
    BLAME_GUEST,  /* the code itself: not executable, not found     -> 126/127 */
};

struct error {
    int code; /* 0: nothing happened; else negative errno */
    enum blame blame;
    char step[24];
    char field[64];
    char text[400];
    char remedy[300];
};

/* Fills err (if not NULL) and returns code. code must be negative. */
int err_set(struct error *err, int code, enum blame blame, const char *step, const char *fmt, ...) PRINTF_LIKE(5, 6);
/* Adds the remedy to an error that is set; returns err->code. */
int err_remedy(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* What of the request it is about: `limits.memory`, `--memory`. */
void err_field(struct error *err, const char *name);
/* Puts «context: » before the text; returns err->code. */
int err_wrap(struct error *err, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* On standard error: «prefix: text», and the remedy in a line of its own; without what a terminal would obey. */
void err_say(const char *prefix, const struct error *err);

const char *blame_name(enum blame b);
/* Stable snake_case code for results: usage_error, policy_denied, sandbox_error ... */
const char *err_public_code(const struct error *err);
