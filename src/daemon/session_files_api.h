/* session_files_api.h - the files of a session: /sessions/{id}/files/{path}, /archive/{dir} and /watch
 * (docs/session-files.md).
 *
 * Every operation is done inside the session's sandbox, by a worker of its steward (files/remote.h); here are words,
 * statuses and streams. The path is relative to /workspace; without one that itself is meant.
 */
#pragma once
#include "daemon/request.h"
#include "daemon/service.h"
#include "daemon/sessions.h"

void session_file_get(struct call *c, struct http_answer *a);  /* content, ?list, ?stat */
void session_file_put(struct call *c, struct http_answer *a);  /* ?mode= */
void session_file_post(struct call *c, struct http_answer *a); /* ?mkdir, ?move=TO[&replace] */
void session_file_delete(struct call *c, struct http_answer *a);
void session_archive_get(struct call *c, struct http_answer *a);
void session_archive_put(struct call *c, struct http_answer *a);
void session_watch(struct call *c, struct http_answer *a); /* Server-Sent Events: ?path=, ?recursive, ?seconds= */
/* The files that a session begins with. False: one could not be written, and an answer was given. */
bool session_files_put(struct call *c, struct session_entry *e, const struct session_asked *asked,
                       struct http_answer *a);
/* The workspace's archive, piece by piece; most: bytes that its files may have together. 0; negative: what take() said,
 * or -EFBIG (BLAME_POLICY): they have more; 1: it could not be had, and an answer was given. */
int session_files_pack(struct call *c, struct session_entry *e, uint64_t most,
                       int (*take)(void *context, const void *data, size_t size, struct error *err), void *context,
                       struct http_answer *a, struct error *err);
/* The other way round, into a session that is just being made; next: *ret_size 0: that was all. */
int session_files_unpack(struct call *c, struct session_entry *e,
                         int (*next)(void *context, const void **ret, size_t *ret_size, struct error *err),
                         void *context, struct http_answer *a, struct error *err);
