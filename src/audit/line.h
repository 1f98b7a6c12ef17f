/* line.h - what a line of the audit says. */
#pragma once
#include "base/members.h"

struct audit_line {
    uint64_t time_ms, sequence;
    bool has_sequence;
    struct slice timestamp, message, agent, execution, rule, level, action, reason, outcome, kind;
    struct slice code_hash, via_node;
    struct {
        struct slice previous_hash, public_key; /* first line of a file */
        struct slice signature, signed_hash;    /* audit-signed */
        uint64_t signed_sequence, next_within;
        uint64_t repair_offset, repair_bytes; /* audit-repaired */
        struct slice repair_hash;
    } chain;
};

/* 0, or -EBADMSG: see members_read; or its time is none. Borrows from the line. */
int audit_line_read(const char *line, size_t size, struct audit_line *ret);

/* "2026-11-21T04:35:04.721Z" */
#define AUDIT_TIME_SIZE 32
void audit_time_write(uint64_t ms, char out[static AUDIT_TIME_SIZE]);
/* RFC 3339, or only its date, a space for the T; -EINVAL. Without an offset UTC is meant. */
int audit_time_read(const char *s, size_t size, uint64_t *ret_ms);
/* The same, or seconds since 1970, or how long ago (90s 30m 2h 7d 2w). */
int audit_time_ask(const char *text, uint64_t now_ms, uint64_t *ret_ms);
#define AUDIT_TIME_ACCEPTED "2026-11-21T04:35:04Z, 2026-11-21, seconds since 1970, or how long ago: 90s 30m 2h 7d 2w"
/* How a run ended: finished, refused, recovered. */
bool audit_line_is_end(const struct audit_line *l);
