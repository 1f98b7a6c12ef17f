/* verify.h - is the audit what was written? Finds changed, removed, reordered, inserted and cut-off lines, and bad
 * signatures. */
#pragma once
#include "audit/note.h"

#define VERIFY_MAX_KEYS 16u

struct verify_options {
    const char *dir;                   /* the log directory */
    const char *key_dir;               /* the state directory: head and audit.pub; NULL: neither is looked at */
    const char *file;                  /* this file alone, by path; NULL: all of the directory, in order */
    uint64_t first;                    /* lines before this number are archived elsewhere; 0: none are */
    uint8_t keys[VERIFY_MAX_KEYS][32]; /* whose signatures count; none given: audit.pub's */
    size_t key_count;
    const struct checkpoint *witnessed; /* the lines have to continue what each of them says; by size, ascending */
    size_t witnessed_count;
    const _Atomic bool *is_over; /* true: give up at the next line with -ECANCELED; NULL: never */
};
struct verify_problem {
    const char *file;        /* NULL: of the audit as a whole */
    uint64_t line, sequence; /* line of the file from 1; 0: none in particular */
    const char *text;
    bool is_note; /* told about, and all right */
};
struct verify_result {
    uint64_t files, lines, bytes, signatures, repairs, problems, notes;
    uint64_t first_sequence, last_sequence, signed_sequence;
    bool has_head;
};
typedef void verify_tell(void *context, const struct verify_problem *p);
/* 0 whatever is found (ret->problems), or a fault: the files could not be read. Reads a consistent state while others
 * write. */
int audit_verify(const struct verify_options *o, verify_tell *tell, void *context, struct verify_result *ret,
                 struct error *err);
