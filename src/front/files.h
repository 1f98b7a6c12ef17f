/* files.h - files of a sandbox, by the paths that clients of other protocols say: places below the session's
 * /workspace. */
#pragma once
#include "front/call.h"
#include "front/multipart.h"

#define FRONT_ENTRIES_MAX 10000u
#define FRONT_DEPTH_MAX   64u

#define FRONT_FILE_PATTERN "/sessions/{session_id}/files/{path}"

/* A file's place below /workspace, of a path that a client names: «/home/user/x», «/workspace/x» and «x» are all x.
 * "" is the workspace itself; NULL: it lies elsewhere, or is no plain path. Borrowed. */
const char *front_path(const char *path);
/* The same; NULL: that is the answer, too. */
const char *front_place(struct front_call *c, const char *path);
/* A command's directory as the member «cwd», of a path that may lie anywhere; NULL or "": none. */
void front_put_cwd(struct front_call *c, const char *path, struct buf *b);
/* The same, of what cannot be /workspace itself; what: «removed». */
const char *front_place_below(struct front_call *c, const char *path, const char *what);

/* What is in a directory, so many levels deep; and what is said of one file. NULL: that is the answer. */
struct body *front_file_list(struct front_call *c, const char *below, const char *depth);
struct body *front_file_stat(struct front_call *c, const char *below);
/* Its bytes, or an error, as the answer a. range: a header, or NULL. */
void front_file_get(struct front_call *c, const char *below, const char *range, struct http_answer *a);
/* Its bytes whole, at most data->max. False: that is the answer. */
bool front_file_read(struct front_call *c, const char *path, struct buf *data);
/* mkdir, or DELETE. False: that is the answer. */
bool front_file_change(struct front_call *c, const char *method, const char *below, struct http_pair query);
/* What is there may be replaced. False: that is the answer. */
bool front_file_move(struct front_call *c, const char *from, const char *to);

/* Writes the files of a multipart/form-data body. A body that is not whole, or names a place that is none, writes none
 * of them. file_of: which parts are files, and their paths; wrote: or NULL. False: that is the answer. */
struct front_upload {
    bool (*file_of)(void *context, const struct multipart_part *part, const char **ret_path);
    void (*wrote)(void *context, const char *path);
    void *context;
};
bool front_upload(struct front_call *c, const struct front_upload *u);
/* One file. */
bool front_file_put(struct front_call *c, const char *path, const void *data, size_t size);

/* One of the session's files, as our interface tells it. */
struct front_entry {
    const char *name, *modified; /* borrowed */
    uint64_t size;
    unsigned mode;
    bool is_directory, is_link;
    char permissions[11]; /* «drwxr-xr-x» */
};
struct front_entry front_entry(struct body *entry);
