/* dir.h - directories that only we, root or their owner may change; and how root works in those of another user.
 *
 * Root's command line writes beside the service, whose user owns logs, artifacts and state. Whatever root does to files
 * there it does as the directory's owner: between dir_enter() and dir_leave() the kernel judges this thread's file
 * accesses by that user's ids (setfsuid(2): without root's overriding capabilities). So
 *   - what is made belongs to the owner from its first moment, and the service can go on with it; no chown that a crash
 * could leave out
 *   - nothing can be opened, linked, renamed or removed that the owner could not have touched himself: a hard link, a
 * symbolic link or a directory that is exchanged meanwhile gives a service that is owned nothing that it has not
 * already What remains is judged by dir_owns(): a file counts only when it belongs to the owner, since root's groups
 * stay in force. The path to the directory is root's own configuration and is walked as root.
 */
#pragma once
#include <sys/stat.h>
#include "base/error.h"

/* Made when missing (0700, with those above it). The descriptor, or -errno. */
int dir_open(const char *path);
/* 0, or -EPERM when others may rename in it. Root accepts every owner: the files in there are then that user's, and as
 * trustworthy. */
int dir_check(int fd, const char *step, const char *path, struct error *err);

/* A visit; `cleanup(dir_leave) struct dir_visit v = dir_enter(fd);` Nothing happens unless we are root and the
 * directory is not root's. A thread's own affair: other threads keep what they are. */
struct dir_visit {
    uint32_t uid, gid; /* of before */
    bool is_guest, was_dumpable;
    bool is_refused; /* the kernel does not let us be the owner: files would be made that he cannot use */
};
struct dir_visit dir_enter(int fd);
void dir_leave(struct dir_visit *v);
/* Whether a file in the directory `fd` is one that we go on writing: ours, or where root visits the owner's. */
bool dir_owns(int fd, const struct stat *file);
