/* frame.h - what a kernel (guards/kernel_*) says about a cell, read from outside: hostile bytes.
 *
 * A cell shares its process with the kernel that runs it and can write what it likes where replies are expected. So
 * nothing is believed but the form: every length is checked before anything is kept, what is kept is bounded, and a
 * reply that is out of order, or of another cell, ends the kernel. What a cell can forge is its own result.
 *
 * A frame is «KIND ID LENGTH\n» and LENGTH bytes; guards/kernel_python.py has the kinds. A cell's frames are any number
 * of results (r, then its forms, m), at most one e, and d.
 */
#pragma once
#include "base/buf.h"

#define KERNEL_MAX_FORM    (4 * MIB)  /* one form of a result; the kernels observe it themselves */
#define KERNEL_MAX_CELL    (32 * MIB) /* all that is kept of a cell */
#define KERNEL_MAX_RESULTS 64u
#define KERNEL_MAX_FORMS   16u         /* of one result */
#define KERNEL_MAX_ERROR   (256 * KIB) /* name, value and traceback */
#define KERNEL_MAX_MIME    100u
#define KERNEL_MAX_DEPTH   32u /* of JSON in a result */

struct kernel_form {
    char mime[KERNEL_MAX_MIME + 1]; /* type/subtype, lower case */
    struct buf data;
};
struct kernel_result {
    bool is_value; /* of the last expression; otherwise shown by display() */
    uint32_t count;
    struct kernel_form forms[KERNEL_MAX_FORMS];
};

struct kernel_reply {
    uint32_t id; /* of the cell; 0: the kernel's word that it waits */
    bool is_done;
    bool has_error;
    struct buf name, value, traceback;
    uint32_t count;
    struct kernel_result *results[KERNEL_MAX_RESULTS];
    /* internal */
    int failure;
    uint64_t kept;
    char head[32];
    uint32_t head_size;
    char kind;
    uint32_t left; /* bytes of the frame that are still to come */
    struct buf frame;
};

/* For the replies of one cell, or of a kernel that starts (id 0). */
void kernel_reply_begin(struct kernel_reply *r, uint32_t id);
/* The next bytes. 0, with is_done when it is complete; -EBADMSG: no reply to this; -EFBIG: beyond a bound; -ENOMEM.
 * After an error, and where bytes follow the end, the kernel is to be ended. An error stays. */
int kernel_reply_feed(struct kernel_reply *r, const void *data, size_t size);
void kernel_reply_done(struct kernel_reply *r);

/* The request for a cell, as a kernel reads it. */
void kernel_request(struct buf *out, uint32_t id, const char *source, size_t size);

/* The request about a checkpoint: made, gone back to, forgotten. Answered by d, behind an e where it was refused: one
 * word for why, then what is said about it. A kernel that was gone back to answers itself. */
enum kernel_wish { KERNEL_CHECKPOINT = 'c', KERNEL_UNDO = 'u', KERNEL_FORGET = 'f' };
void kernel_wish(struct buf *out, uint32_t id, enum kernel_wish wish, uint64_t checkpoint);

/* [{"kind": "value", "text/plain": "...", "image/png": "base64"}]: text and image/svg+xml as text (bytes that are no
 * UTF-8 become U+FFFD), JSON as the value itself where it is one, everything else as base64. */
void kernel_results_json(struct buf *out, const struct kernel_reply *r);
/* {"name", "value", "traceback": [lines]}; null where there is none. */
void kernel_error_json(struct buf *out, const struct kernel_reply *r);

/* One JSON value and nothing else (RFC 8259, UTF-8), at most KERNEL_MAX_DEPTH deep. */
bool kernel_is_json(const char *text, size_t size);
