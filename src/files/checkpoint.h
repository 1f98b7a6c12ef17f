/* checkpoint.h - what a workspace was at one time, so that it can be that again: in a directory of its own beside it.
 *
 * How this works. `store` is a directory that the code does not reach. A checkpoint is a record there (its number's) of
 * all that lies in the workspace: kinds, modes, times, texts of links; and of each file a copy. A file that is what it
 * was at the last checkpoint shares that one's copy. Whether it is, its content says and no time: what a program writes
 * through mmap(2) changes no time of a tmpfs. So making one costs a read of the workspace, and what changed.
 *
 * To go back, each file is written into where it differs, so that a descriptor or a further name of it sees the same
 * file; what is missing is made, what came since is removed. Fifos, sockets and devices are left alone where they were
 * there, and not made again where they have gone. A hard link that was removed comes back as a file of its own.
 *
 * One caller at a time for a store. Errors are negative errno, for wfile_words().
 */
#pragma once
#include "files/files.h"

/* For this process: make and restore end with -ECANCELED as soon as the other end of this socket is closed. -EBADF:
 * they do not, as before the first call. */
void wfile_checkpoint_asked_by(int sock);

struct wfile_checkpoint {
    uint64_t entries, copied_bytes; /* of the workspace; into the store, by this call */
};
/* number: above all that the store has. failed: the entry that an error is about; without an error the last checkpoint,
 * where its record is damaged and so no copy is shared with it, or "". -EFBIG: more than max_bytes would have to be
 * copied. After an error nothing of it is there. */
int wfile_checkpoint_make(int root, int store, uint64_t number, uint64_t max_bytes, struct wfile_checkpoint *ret,
                          char failed[WFILE_MAX_PATH]);
/* After an error the workspace is partly what it was; again helps where the reason has gone. -EBUSY: a
 * program makes files as fast as they are removed. -ESRCH: no such one. */
int wfile_checkpoint_restore(int root, int store, uint64_t number, char failed[WFILE_MAX_PATH]);
/* One that is not there, or whose record is damaged, is no error. */
int wfile_checkpoint_forget(int store, uint64_t number);
