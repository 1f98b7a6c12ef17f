/* collected.h - what sandbox-entry tells of the workspace, collected for the client: a bundle in memory, sealed when it
 * goes.
 *
 * What is told is bounded here again, by the same limits as inside (base/leftover.h): a process that tells it runs
 * beside the program. A file that does not come whole is none; what does not come within its time is said to be late,
 * and what has come is kept.
 */
#pragma once
#include "base/bundle.h"

struct collected {
    struct bundle bundle;
    struct workspace_rest rest;
    uint64_t left_bytes;           /* of max_bytes */
    uint64_t file_size, file_left; /* of the file that is coming */
    uint32_t files;                /* whole ones */
    bool is_wanted;
    bool is_coming;    /* a file: head and perhaps some of it are there */
    bool is_lost;      /* there was no memory for it */
    bool is_whole;     /* nothing more is to come */
    uint64_t until_us; /* of the clock: the time it has; 0: not yet begun */
};

void collected_init(struct collected *k, bool is_wanted, uint64_t max_bytes);
/* frames: 0 or -EBADMSG, for what entry does not say */
int collected_file(struct collected *k, const void *data, size_t size);
int collected_data(struct collected *k, const void *data, size_t size);
int collected_rest(struct collected *k, const void *data, size_t size);
/* Over the client's socket; where something fails it sees that nothing came. */
void collected_send(struct collected *k, int sock);
void collected_done(struct collected *k);
