/* download.h - a file that is open, as an answer no browser interprets: an attachment of no type, in a sandbox of its
 * own should one show it all the same. */
#pragma once
#include "http/http.h"

/* size bytes from where the descriptor stands, or up to the end that it has now; fd is taken. One that becomes shorter
 * meanwhile is broken off. Status and further headers are the caller's. False, with fd closed: no memory. */
bool download_answer(struct http_answer *a, int fd, uint64_t size);
/* Of an answer of download_answer(): it breaks off when the session ends. Takes the reference. */
struct session_entry;
void download_of_session(struct http_answer *a, struct session_entry *e);
/* The headers alone, for what is streamed in another way. */
void download_headers(struct http_answer *a, const char *content_type);
