/* daytona_internal.h - what the files of the front share. */
#pragma once
#include "front/daytona.h"
#include "front/call.h"

#define DAYTONA_HOME "/workspace"
#define DAYTONA_PAGE "docs/daytona.md"

/* As Daytona words it. code NULL: the status says it. */
void daytona_put_error(struct buf *b, unsigned status, const char *message, const char *code, bool is_inside);
/* Its code for an error of a file; NULL: the status says it. */
const char *daytona_file_code(unsigned status);

/* daytona_sandboxes.c; the sandbox is what the client says: an id, or a name */
void daytona_create(struct front_call *c);
void daytona_list(struct front_call *c);
void daytona_show(struct front_call *c);
void daytona_start(struct front_call *c);
void daytona_stop(struct front_call *c);
void daytona_delete(struct front_call *c);
void daytona_proxy_url(struct front_call *c);
/* A sandbox in use lives on: its time begins anew. */
void daytona_touch(struct front_call *c);
/* daytona_process.c */
void daytona_execute(struct front_call *c);
void daytona_code_run(struct front_call *c);
void daytona_shell_create(struct front_call *c);
void daytona_shell_list(struct front_call *c);
void daytona_shell_show(struct front_call *c);
void daytona_shell_delete(struct front_call *c);
void daytona_shell_execute(struct front_call *c);
void daytona_command_show(struct front_call *c);
void daytona_command_logs(struct front_call *c);
void daytona_command_input(struct front_call *c);
/* daytona_files.c */
void daytona_files_list(struct front_call *c);
void daytona_file_info(struct front_call *c);
void daytona_file_delete(struct front_call *c);
void daytona_file_move(struct front_call *c);
void daytona_folder(struct front_call *c);
void daytona_files_search(struct front_call *c);
void daytona_download(struct front_call *c);
void daytona_download_all(struct front_call *c);
void daytona_upload(struct front_call *c);
