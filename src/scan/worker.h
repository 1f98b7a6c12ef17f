/* worker.h - between sandbox-agent and sandbox-scan: three descriptors, and frames.
 *
 * The worker gets the code (a sealed memfd) and the configured patterns (a packed list), and answers with frames: a
 * head and so many bytes. It sends a preliminary report when the text rules are through, since what comes then,
 * parsing, may use up its memory or time; then the final one. Before it has looked at the code it may send an error
 * instead.
 *
 * One that stays (--stay) has one socket at both numbers. Each scan is a u64 size and so many bytes, at most
 * WORKER_STAY_BYTES; its frames are the answer. The other end's close ends it.
 */
#pragma once
#include "base/error.h"
#include "base/pack.h"

enum { WORKER_FD_CODE = 3, WORKER_FD_PATTERNS = 4, WORKER_FD_ANSWER = 5 };
enum frame_kind { FRAME_PRELIMINARY, FRAME_FINAL, FRAME_ERROR, FRAME_KINDS };
struct frame_head {
    uint32_t kind, size;
};
#define FRAME_MAX_BYTES     (256u * 1024u)
#define WORKER_MEMORY_BYTES (256u * MIB)
#define WORKER_STAY_BYTES   (64u * KIB) /* fits into a socket's buffer: sending never waits */
#define WORKER_STAY_S       60u         /* of CPU time for scans; then another one takes its place */

void worker_error_pack(const struct error *err, struct buf *out);
/* 0 or -EBADMSG; texts are made printable. */
int worker_error_unpack(const void *data, size_t size, struct error *ret);
