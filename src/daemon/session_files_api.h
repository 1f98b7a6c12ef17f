/* session_files_api.h - the files of a session: /sessions/{id}/files/{path} and /archive/{dir} (docs/sessions.md).
 *
 * Every operation is done inside the session's sandbox, by a worker of its steward (files/remote.h); here are words,
 * statuses and streams. The path is relative to /workspace; without one that itself is meant.
 */
#pragma once
#include "daemon/service.h"

void session_file_get(struct call *c, struct http_answer *a);  /* content, ?list, ?stat */
void session_file_put(struct call *c, struct http_answer *a);  /* ?mode= */
void session_file_post(struct call *c, struct http_answer *a); /* ?mkdir, ?move=TO[&replace] */
void session_file_delete(struct call *c, struct http_answer *a);
void session_archive_get(struct call *c, struct http_answer *a);
void session_archive_put(struct call *c, struct http_answer *a);
