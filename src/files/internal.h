/* internal.h - between the files of src/files. */
#pragma once
#include "files/files.h"

#include <fcntl.h>
#include <sys/stat.h>

enum follow { FOLLOW_BENEATH, FOLLOW_NONE };
/* openat2(2), beneath root; again where a rename made the kernel give up (EAGAIN). -> descriptor or -errno */
int wfile_resolve(int root, const char *path, int flags, enum follow follow);
/* The directory that holds path's last name, opened without links, and that name. is_made: make what is missing. */
int wfile_parent(int root, const char *path, bool is_made, char name[static NAME_MAX + 1]);
void wfile_stat_from(const struct stat *st, struct wfile_stat *ret);
/* Text of the link `name` in dir; "" where it is gone. */
void wfile_link_text(int dir, const char *name, char target[static PATH_MAX]);
void wfile_temporary_name(char name[static sizeof WFILE_TEMPORARY + 16]);
/* Moves what is called `temporary` in dir to `name`; removes it where that fails. */
int wfile_take_place(int dir, const char *temporary, const char *name);
