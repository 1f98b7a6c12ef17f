/* request_field.h - what a request can be wrong in, and what each front calls it.
 *
 * An error about a request is written in the words of the front that took it (`--memory`, `limits.memory`), once, where
 * the error arises. Nothing is translated afterwards, so no value of a caller is ever taken for a name of ours.
 */
#pragma once
#include "base/error.h"

enum request_field {
    REQUEST_LANGUAGE,
    REQUEST_CODE,
    REQUEST_FILES,
    REQUEST_STDIN,
    REQUEST_ENV,
    REQUEST_VOLUMES,
    REQUEST_AGENT_ID,
    REQUEST_RISK_LEVEL,
    REQUEST_BACKEND,
    REQUEST_SIGNATURE,
    REQUEST_TIMEOUT,
    REQUEST_MEMORY,
    REQUEST_CPU,
    REQUEST_PROFILE, /* NULL where a request cannot name one */
    REQUEST_WORKDIR, /* likewise */
    REQUEST_PACKAGES,
    REQUEST_FIELDS,
};

struct request_words { /* by enum request_field */
    const char *name[REQUEST_FIELDS];
};

/* The front's name of it. words NULL: plain English. */
const char *request_word(const struct request_words *words, enum request_field f);
/* «--memory 12x: why», or without a value where that is NULL. Fills err, its field too, and returns code. */
int field_refuse(const struct request_words *words, struct error *err, int code, enum blame blame, enum request_field f,
                 const char *value, const char *fmt, ...) PRINTF_LIKE(7, 8);
/* An error that is there already is about this field: says so in front of its text. Returns err->code. */
int request_blame(const struct request_words *words, struct error *err, enum request_field f);
