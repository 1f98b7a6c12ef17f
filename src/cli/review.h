/* review.h - wrap --review: the tool works on a copy of the project, and what it changed is shown, then applied or
 * dropped.
 *
 * The copy lies in a directory of its own below TMPDIR or /var/tmp (blocks are shared where the file system can,
 * ioctl_ficlonerange(2)). What is compared afterwards is what the copy was when it was made, by inode and time of
 * change, which no program can set back; on tmpfs by contents, since a write by mmap(2) need not change a time there.
 * Applied are directories, regular files and links that stay in the project; never devices, sockets, set-uid bits, or
 * the places of cli/guard.h. Every path is resolved beneath the project without following a link (openat2(2)), a file
 * is written beside its place and renamed over it, and what is no longer in the project as it was copied is left alone
 * and said.
 */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/strlist.h"

struct review;

/* how: ask, keep or drop. Copies project. *ret also where it fails, for review_end(). 0, or negative and why. */
int review_begin(const char *how, const char *project, struct arena *a, struct review **ret, struct error *err);
/* Where the copy is. */
const char *review_copy(const struct review *r);
/* The tool has ended: compares and shows on standard error, asks or does as it was told, takes the copy away. False:
 * something that was to be applied was not. Accepts NULL. */
bool review_end(struct review *r, bool has_run, const struct strlist *writable);
