/* line.h - reads one line of the audit: our own JSON, whoever may have changed it since.
 *
 * A strict scanner of one pass that builds nothing: it checks the grammar and bounds, and remembers where
 * the members of the table below stand. Texts stay as they are in the line, escaped; to compare with a word, escape the word
 * (json_escape) and compare bytes: the writer has one form for each text.
 */
#pragma once
#include "base/base.h"
#include "base/buf.h"

struct slice {
    const char *p; /* NULL: not in the line */
    uint32_t size;
};

struct audit_line {
    uint64_t time_ms, sequence;
    bool has_sequence;
    struct slice timestamp, message, agent, execution, rule, level, action, reason, outcome, kind;
    struct slice code_hash;
    struct {
        struct slice previous_hash, public_key; /* first line of a file */
        struct slice signature, signed_hash;    /* audit-signed */
        uint64_t signed_sequence, next_within;
        uint64_t repair_offset, repair_bytes;   /* audit-repaired */
        struct slice repair_hash;
    } chain;
};

/* 0, or -EBADMSG: not one JSON object, a wanted member of the wrong type or twice, nested deeper than 16. */
int audit_line_read(const char *line, size_t size, struct audit_line *ret);
bool slice_is(struct slice s, const char *text);
/* What an escaped text says, for a person: escapes resolved, control characters as \xNN. */
void slice_print(struct slice s, struct buf *out);
/* "2026-11-21T04:35:04.721Z" */
#define AUDIT_TIME_SIZE 32
void audit_time_write(uint64_t ms, char out[static AUDIT_TIME_SIZE]);
/* RFC 3339, or only its date, a space for the T; -EINVAL. Without an offset UTC is meant. */
int audit_time_read(const char *s, size_t size, uint64_t *ret_ms);
