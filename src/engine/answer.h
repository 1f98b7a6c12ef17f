/* answer.h - what an engine says, made fit for a message: bytes that are not checked, from the program that listens at
 * the socket. */
#pragma once
#include <jansson.h>
#include "base/base.h"

#define ANSWER_TEXT_MAX 256 /* of an engine's own words in a message */
#define ANSWER_HEAD_MAX (16 * KIB)

/* One line of at most max - 1 bytes: white space and control characters become one space, what is no UTF-8 a «?», and
 * «...» ends what was cut. Returns out. */
const char *answer_clean(const void *data, size_t size, char *out, size_t max);

/* The engine's own words in a failed answer: «message» of its JSON (Docker, Podman), else whatever it is; its middle is
 * left out where it is long. Returns out, "" for an empty one. */
const char *answer_failure(const void *data, size_t size, char out[static ANSWER_TEXT_MAX]);

/* The head of an HTTP answer, where we have the connection to ourselves. */
struct answer_head {
    long status;
    size_t size;   /* with the empty line */
    bool has_body; /* a length or chunks: then it is no stream */
};
/* 0; -EAGAIN: a beginning of one, there is more to come; -EBADMSG: no HTTP/1.x, or not as it must be, or larger than
 * ANSWER_HEAD_MAX. */
int answer_head_read(const char *data, size_t size, struct answer_head *ret);
