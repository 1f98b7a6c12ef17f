/* checkpoint_record.h - the record of a checkpoint (checkpoint.h), as a file of the store: sorted by path. */
#pragma once
#include <dirent.h>

#include "files/files.h"

#define RECORD_COPIES   "copies" /* the directory of the copies, in the store */
#define RECORD_NAME_MAX 40u

struct record_entry {
    const char *path, *target; /* target: a link's text, otherwise "" */
    const char *copy;          /* a file's: its name in RECORD_COPIES; "": it is empty */
    struct wfile_stat stat;
};
struct record {
    struct buf text; /* what the entries borrow from, once it was read */
    struct record_entry *entries;
    size_t count;
};

/* While the workspace is walked: appended to text. */
void wfile_record_add(struct buf *text, const struct record_entry *e);
/* 0 or -errno; after an error there is no such record. */
int wfile_record_write(int store, uint64_t number, const struct buf *text);
bool wfile_record_is_there(int store, uint64_t number);
/* -ESRCH: there is none; -EBADMSG: it is damaged. wfile_record_done() in any case. */
int wfile_record_read(int store, uint64_t number, struct record *ret);
void wfile_record_done(struct record *r);
const struct record_entry *wfile_record_find(const struct record *r, const char *path);
/* To read the names in dir, which stays open: closedir(3). NULL: errno. */
DIR *wfile_record_names(int dir);
/* The numbers next to it; 0: there is none. 0 or -errno */
int wfile_record_neighbours(int store, uint64_t number, uint64_t *ret_before, uint64_t *ret_after);
void wfile_record_remove(int store, uint64_t number);
