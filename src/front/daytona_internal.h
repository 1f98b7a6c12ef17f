/* daytona_internal.h - what the files of the front share. */
#pragma once
#include "front/daytona.h"
#include "daemon/executions.h"
#include "front/inner.h"

#define DAYTONA_HOME     "/workspace"
#define DAYTONA_NAME_MAX 128u
/* In a session's metadata, beside the labels: after how many minutes without use it ends (0: with its time), a space,
 * and its name. */
#define DAYTONA_META "daytona"

/* A request that was let in. */
struct daytona_call {
    struct call *call;
    const char *id;       /* the session's; of the control plane: the id, or the name, that the client says */
    const char *parts[2]; /* what stood for the other {…} */
    struct body *body;    /* NULL where the row wants none */
    bool is_file;         /* it is about files */
    struct http_answer *out;
    const char *code; /* Daytona's, where the status does not say it; else NULL */
};
typedef void (*daytona_handler)(struct daytona_call *c);

/* An error of ours, to be reworded. */
void daytona_fail(struct daytona_call *c, enum answer_code code, const char *fmt, ...) PRINTF_LIKE(3, 4);
/* As Daytona words it. code NULL: the status says it. */
void daytona_put_error(struct buf *b, unsigned status, const char *message, const char *code, bool is_inside);
/* Its code for an error of a file; NULL: the status says it. */
const char *daytona_file_code(unsigned status);
/* {}, or nothing, with this status. */
void daytona_done(struct daytona_call *c, unsigned status);
/* After all members were read: false, one of them is not accepted, and that is the answer. */
bool daytona_is_read(struct daytona_call *c);
/* As inner_ask_first(), of the session: parts[0] is its id. */
struct body *daytona_ask(struct daytona_call *c, const char *method, const char *pattern, struct inner_asked with);
/* Of which only matters whether it was a success. */
bool daytona_ask_done(struct daytona_call *c, const char *method, const char *pattern, struct inner_asked with);

/* The shells that clients have made, by their names in a session: which context each is. */
struct daytona_shell {
    char session_id[EXECUTION_ID_SIZE], context_id[EXECUTION_ID_SIZE], name[DAYTONA_NAME_MAX + 1];
};
/* False: there is one of this name, or no room. */
bool daytona_shell_add(struct daytona *d, const struct daytona_shell *s);
bool daytona_shell_find(struct daytona *d, const char *session_id, const char *name, struct daytona_shell *ret);
void daytona_shell_remove(struct daytona *d, const char *session_id, const char *name);
void daytona_shells_each(struct daytona *d, const char *session_id, void (*then)(void *context, const char *name),
                         void *context);
/* Forgets those of sessions that have ended. */
void daytona_shells_prune(struct daytona *d, struct service *v);

/* daytona_sandboxes.c */
void daytona_create(struct daytona_call *c);
void daytona_list(struct daytona_call *c);
void daytona_show(struct daytona_call *c);
void daytona_start(struct daytona_call *c);
void daytona_stop(struct daytona_call *c);
void daytona_delete(struct daytona_call *c);
void daytona_proxy_url(struct daytona_call *c);
/* A sandbox in use lives on: its time begins anew. */
void daytona_touch(struct daytona_call *c);
/* daytona_process.c */
void daytona_execute(struct daytona_call *c);
void daytona_code_run(struct daytona_call *c);
void daytona_shell_create(struct daytona_call *c);
void daytona_shell_list(struct daytona_call *c);
void daytona_shell_show(struct daytona_call *c);
void daytona_shell_delete(struct daytona_call *c);
void daytona_shell_execute(struct daytona_call *c);
void daytona_command_show(struct daytona_call *c);
void daytona_command_logs(struct daytona_call *c);
void daytona_command_input(struct daytona_call *c);
/* daytona_files.c */
void daytona_files_list(struct daytona_call *c);
void daytona_file_info(struct daytona_call *c);
void daytona_file_delete(struct daytona_call *c);
void daytona_file_move(struct daytona_call *c);
void daytona_folder(struct daytona_call *c);
void daytona_files_search(struct daytona_call *c);
void daytona_download(struct daytona_call *c);
void daytona_download_all(struct daytona_call *c);
void daytona_upload(struct daytona_call *c);
