/* reader.h - lines of a file one after another, of any length, in bounded memory. */
#pragma once
#include "audit/audit.h"

struct reader {
    int fd;                 /* borrowed */
    uint64_t offset, until; /* where the buffer begins in the file; where reading stops */
    char *data;
    size_t pos, size;
    int fault; /* -errno of a failed read */
};
struct raw_line {
    const char *p;          /* until the next call; a longer line than AUDIT_LINE_MAX is given by its first bytes */
    size_t size;            /* without the newline */
    uint64_t offset, bytes; /* where it begins; its whole length, newline included */
    bool is_whole;          /* ends with a newline and is not too long */
    bool has_newline;
};
/* From `offset` to `until` (or the end of the file as it is met). -ENOMEM. */
int reader_init(struct reader *r, int fd, uint64_t offset, uint64_t until);
void reader_done(struct reader *r);
bool reader_next(struct reader *r, struct raw_line *ret); /* false: the end, or r->fault */
/* SHA-256 of a stretch that is no line. end: its last bytes, where they are not in the file yet; else "". */
int reader_hash(int fd, uint64_t offset, uint64_t bytes, const char *end, char out[static AUDIT_HASH_SIZE]);
