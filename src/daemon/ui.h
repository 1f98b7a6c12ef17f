/* ui.h - the operator's page at /ui/: three files that were built into this program, and the sessions of those who use
 * it.
 *
 * Where esbuild was not there when sandboxd was built, there are no files, and /ui/ says so. Without TLS the page is
 * for this machine alone (endpoints.api.page: auto): a key that is typed into it would cross the network for all to
 * read.
 */
#pragma once
#include <stddef.h>

struct ui_file {
    const char *name, *type, *etag; /* etag: with its quotes */
    const unsigned char *data;      /* gzip */
    size_t size;
};
/* Made by ui/build.sh. */
extern const struct ui_file ui_files[];
extern const size_t ui_files_count;

struct call;
struct http_answer;
void ui_index(struct call *c, struct http_answer *a); /* GET /ui/ */
void ui_show(struct call *c, struct http_answer *a);  /* GET /ui/files/{name} */
void ui_log_in(struct call *c, struct http_answer *a);
void ui_who(struct call *c, struct http_answer *a);
void ui_log_out(struct call *c, struct http_answer *a);
