/* tar.h - a directory as a stream of tar (POSIX pax, ustar where that suffices), and back, in constant memory.
 *
 * Our own few lines and no library: this has to run where the files are the sandbox's own, which is inside the fence,
 * in a static program with libc and nothing else; and what a library adds (compression, ten formats, ACLs, sparse maps,
 * owners) is what a hostile archive would be made of.
 *
 * Out. Regular files, directories and links; fifos, sockets and devices are left out and counted. All links come after
 * everything else, so that no name in the archive leads through a link that the same archive brought: a careless
 * program that unpacks it writes no file elsewhere. A file that shrinks while it is read is filled up with zeros, one
 * that grows is cut; one that vanishes before is not there. What cannot be told truthfully (a file that cannot be read,
 * more than the limits) breaks the stream off with an error, before its end marks: half an archive never looks whole.
 *
 * In. Regular files, directories, symbolic links (their text is not looked at), hard links to what is there. Owners and
 * setuid bits do not count. Devices, fifos, sparse files, names that are absolute or have «..», and names through a
 * link (which are not followed) are errors that end it; what came before stays.
 */
#pragma once
#include "files/files.h"

#define TAR_BLOCK 512u

/* --- out --------------------------------------------------------------------------------------------- */

struct tar_out;
struct tar_out_counts {
    uint32_t entries, left_out; /* left_out: fifos, sockets, devices */
    uint64_t bytes;             /* of contents */
};
/* Of the directory `path`, whose entries' names are relative to it. max_bytes: of contents. */
int tar_out_begin(int root, const char *path, uint64_t max_bytes, struct tar_out **ret);
/* The next bytes, at most max (> 0); 0: that was all; or an error, which stays. */
ssize_t tar_out_read(struct tar_out *t, char *to, size_t max);
/* The entry that an error is about; "" where there is none. */
const char *tar_out_failed(const struct tar_out *t);
struct tar_out_counts tar_out_counts(const struct tar_out *t);
struct tar_out *tar_out_free(struct tar_out *t); /* accepts NULL, returns NULL */

/* --- in ---------------------------------------------------------------------------------------------- */

struct tar_in_limits {
    uint64_t max_bytes;   /* of contents, all files together */
    uint32_t max_entries; /* 0: WFILE_MAX_ENTRIES */
};
struct tar_in;
/* Into the directory `path`, which is made where it is missing. */
int tar_in_begin(int root, const char *path, const struct tar_in_limits *limits, struct tar_in **ret);
/* The next bytes of the archive, in any pieces. 0 or an error, which stays: -EBADMSG: no archive; -ENOTSUP: a kind of
 * entry that is not taken; -EFBIG, -EMFILE: the limits; or as wfile_put_begin(). What follows the end marks is ignored.
 */
int tar_in_feed(struct tar_in *t, const void *data, size_t size);
/* The archive's end: 0, -EBADMSG (it is cut off), or the error that stays. */
int tar_in_end(struct tar_in *t);
/* The entry that an error is about, as it stands in the archive; "" where there is none. Raw bytes. */
const char *tar_in_failed(const struct tar_in *t);
uint32_t tar_in_entries(const struct tar_in *t); /* that were unpacked */
struct tar_in *tar_in_free(struct tar_in *t);    /* accepts NULL, returns NULL; gives up a file that is not whole */
/* As wfile_words(), with those of archives. */
const char *tar_words(int error);
