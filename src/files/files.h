/* files.h - the files of a session, by (root, path), while the session's code changes them.
 *
 * `root` is a descriptor of the workspace's directory (O_PATH suffices); a path is relative to it. The kernel resolves
 * each path, and never beyond root: RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV, so neither «..» nor a
 * link nor a volume that is mounted below leads elsewhere, whatever is renamed meanwhile.
 *
 * Which links are followed. Reading follows links that stay beneath root («latest -> out/7»): there is nothing to be
 * had by it that the path itself would not give. A change follows none (RESOLVE_NO_SYMLINKS): otherwise the code could
 * turn a client's «remove old/x» into the removal of another file while the request is under way. The last name of a
 * path is never followed by stat, list, move, remove; a file that is written replaces a link of its name.
 * RESOLVE_IN_ROOT, which takes «/x» of a link for root's own, would give another file than the code sees there.
 *
 * Only regular files are read. What else there is (links, fifos, sockets, devices) is named as what it is and never
 * opened; a fifo that takes a file's place between look and open is opened without waiting and closed.
 *
 * Whose are new files? The calling process's: run it as the sandbox's user. A process whose uid the sandbox's user
 * namespace does not map, root among them, cannot create anything in a tmpfs of that namespace (EOVERFLOW), and the
 * memory of what it wrote would be charged to it and not to the sandbox.
 *
 * Everything here needs libc only, keeps no state between calls, allocates a bounded amount and ends within the
 * bounds below however large or lively the tree is. Errors are negative errno; wfile_words() has words for them.
 */
#pragma once
#include <limits.h>
#include <sys/types.h>
#include "base/buf.h"

#define WFILE_MAX_PATH    4096u              /* bytes, with its NUL: PATH_MAX */
#define WFILE_MAX_DEPTH   64u                /* directories that a walk has open at once; a node_modules has 20 */
#define WFILE_MAX_ENTRIES 1000000u           /* that one call looks at: about two seconds of tmpfs */
#define WFILE_IN_MEMORY   0x01021994         /* a tmpfs, for statfs(2) */
#define WFILE_TEMPORARY   ".sandbox-upload-" /* what a file is called until it is whole; 16 hexadecimal digits follow */

enum wfile_kind { WFILE_REGULAR, WFILE_DIRECTORY, WFILE_LINK, WFILE_FIFO, WFILE_SOCKET, WFILE_DEVICE };
const char *wfile_kind_name(enum wfile_kind k); /* file, directory, link, fifo, socket, device */

struct wfile_stat {
    enum wfile_kind kind;
    uint32_t mode; /* 0 to 0777 */
    uint64_t size; /* bytes as read, holes included; 0 but for files */
    int64_t modified_s;
    uint32_t modified_ns;
};

/* What an error of these functions means, for a person: «leads out of the workspace». Static. */
const char *wfile_words(int error);
/* Whether a path can be used: relative, not empty, no NUL, no name longer than NAME_MAX. «.» is the root itself. */
bool wfile_path_is_sound(const char *path, size_t size);

/* --- reading ----------------------------------------------------------------------------------------- */

/* -> a descriptor of a regular file, open for reading, which the caller closes. -EISDIR, -ENXIO: no regular file. */
int wfile_open(int root, const char *path, struct wfile_stat *ret);
/* Of the thing itself: a link is not followed. target, if not NULL: the text of a link, "" otherwise. */
int wfile_stat(int root, const char *path, struct wfile_stat *ret, char target[PATH_MAX]);

struct wfile_entry {
    const char *name;   /* relative to the directory, raw bytes: maybe no UTF-8. Borrowed for the call */
    const char *target; /* text of a link, otherwise "" */
    struct wfile_stat stat;
};
/* Calls `each` for what lies in the directory, `depth` levels of it (1: itself only), until it says false, in the order
 * of the file system. At most max_entries (0: WFILE_MAX_ENTRIES); *ret_is_cut: there is more, or what was deeper than
 * WFILE_MAX_DEPTH or could not be read. */
int wfile_list(int root, const char *path, uint32_t depth, uint32_t max_entries,
               bool (*each)(void *ctx, const struct wfile_entry *e), void *ctx, bool *ret_is_cut);
/* Members name, type, size, mode, modified («2026-11-23T02:39:14.123Z»), target of a link; and, where the name is no
 * UTF-8, name_encoded: its bytes with percent signs, as a URL takes them; its name has U+FFFD there. */
void wfile_entry_json(struct buf *out, const struct wfile_entry *e);

/* --- watching ---------------------------------------------------------------------------------------- */

#define WFILE_MAX_WATCHED 1024u /* directories */

enum wfile_change {
    WFILE_CREATE, /* made, or moved here */
    WFILE_WRITE,
    WFILE_REMOVE,
    WFILE_RENAME, /* moved away: its new name, if it is watched, is told as made */
    WFILE_CHMOD,
    WFILE_OVERFLOW, /* more happened than is told, or there are more directories: name "" */
    WFILE_GONE,     /* the directory itself: nothing comes any more. name "" */
    WFILE_CHANGES
};
const char *wfile_change_name(enum wfile_change c); /* create, write, ... */
struct wfile_event {
    enum wfile_change change;
    bool is_directory;
    const char *name; /* relative to what is watched, as of struct wfile_entry */
};
/* Members type, name, name_encoded as above, directory. */
void wfile_event_json(struct buf *out, const struct wfile_event *e);

struct wfile_watch;
/* Changes in the directory, of which links on the way may lie beneath root; is_deep: and in all directories below it.
 * *ret_is_cut: not in all of them. -EUSERS: no more inotify instances or watches. Changes the working directory. */
int wfile_watch_begin(int root, const char *path, bool is_deep, bool (*each)(void *ctx, const struct wfile_event *e),
                      void *ctx, struct wfile_watch **ret, bool *ret_is_cut);
int wfile_watch_fd(const struct wfile_watch *w); /* readable: call the next; borrowed */
/* Calls `each` for what has come. False: it is over: `each` said so, or the directory is gone. */
bool wfile_watch_read(struct wfile_watch *w);
struct wfile_watch *wfile_watch_end(struct wfile_watch *w); /* accepts NULL, returns NULL */

/* --- changes ----------------------------------------------------------------------------------------- */

/* A file on its way: written beside its place under a name of its own, and moved there when it is whole. */
struct wfile_put {
    int dir, fd; /* -EBADF: not begun, or over */
    uint32_t mode;
    uint64_t left; /* bytes */
    bool is_hidden;
    char name[NAME_MAX + 1], temporary[sizeof WFILE_TEMPORARY + 16];
};
#define WFILE_PUT_NONE /* an initialiser */ \
    {                                       \
        .dir = -EBADF, .fd = -EBADF         \
    }
#define WFILE_MODE_KEEP UINT32_MAX /* that of the file that is replaced; 0644 where there is none */

/* Makes the directories above it. 0, or an error, after which there is nothing to end. */
int wfile_put_begin(int root, const char *path, uint32_t mode, uint64_t max_bytes, struct wfile_put *ret);
/* From here on it has no name until it is whole, so that nothing of the session opens or cuts it: for a writer outside,
 * whose memory that would then cost. -ENOTSUP: not here; it goes on as it was. */
int wfile_put_hide(struct wfile_put *p);
/* Memory for these bytes of a hidden one, charged to the caller. Its size stays. -EFBIG: beyond max_bytes. */
int wfile_put_room(struct wfile_put *p, uint64_t at, uint64_t size);
/* All of it, or an error; -EFBIG: more than max_bytes. */
int wfile_put_write(struct wfile_put *p, const void *data, size_t size);
/* The file is whole: takes its place. modified_s: its time, or INT64_MIN for now. On an error nothing has changed, and
 * it is over in any case. */
int wfile_put_end(struct wfile_put *p, int64_t modified_s);
/* Gives it up. Accepts one that is over. */
void wfile_put_abort(struct wfile_put *p);

/* With the directories above it. 1: made; 0: it was there. */
int wfile_mkdir(int root, const char *path);
/* Makes the directories above `to`. What is there is replaced only if `replaces`, and a directory only if empty. */
int wfile_move(int root, const char *from, const char *to, bool replaces);
/* A file, a link (not what it points to), a directory with all that is in it, however deep. -EBUSY: more than
 * WFILE_MAX_ENTRIES entries were removed, and there are more; call again. Not the root. */
int wfile_remove(int root, const char *path);
/* A link with this text, which is not examined; a further name of a file below root. Both replace what is no directory
 * and make the directories above. */
int wfile_symlink(int root, const char *path, const char *target);
int wfile_link(int root, const char *path, const char *existing);
