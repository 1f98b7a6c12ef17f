/* framing.h - where a request ends, said once and in one way only.
 *
 * A server and a proxy before it that disagree about that can be played against each other: what one takes for a body
 * is a request to the other. libmicrohttpd 0.9.75 is generous: lone CR or LF end a line, NUL cuts one short, a
 * continuation line is glued to the header's *name*, the first of two Content-Length counts. Most of it leaves no trace
 * in the headers that it hands out, but it leaves one in memory: it parses in place. So the head is held against its
 * own layout: method, target, version, names and values must follow each other with exactly the bytes between them that
 * HTTP/1.1 wants there. Another version of the library may lay them out otherwise: each server tries before it starts
 * whether malformed heads are refused and good ones understood (trial.c), and does not start where that is not so.
 *
 * What cannot be seen so are the lines between chunks, where it takes LF for CR LF. Therefore the answer to a chunked
 * request is the last one of its connection: whatever follows is not read.
 */
#pragma once
#include "http/server.h"

struct framing {
    unsigned status; /* 0: well formed; else the status to refuse with */
    const char *why;
    bool has_length, is_chunked;
    uint64_t length;
};
/* method and version as libmicrohttpd gives them. */
void framing_check(const struct request *q, const char *method, const char *version, struct framing *ret);
