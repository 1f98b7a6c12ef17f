#include "packages/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/dirs.h"
#include "base/io.h"
#include "base/members.h"

const char *const package_kind_names[] = { "python", "node", NULL };

#define SUFFIX ".json"

bool package_name_is_accepted(const char *name)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyz0123456789",
                      letters[] = "abcdefghijklmnopqrstuvwxyz0123456789._-";
    const size_t n = strlen(name);
    return n > 0 && n <= PACKAGE_NAME_MAX && strchr(first, name[0]) && strspn(name, letters) == n;
}

static int host_error(struct error *err, const char *what, const char *name)
{
    const int e = errno ? -errno : -EIO;
    return err_set(err, e, BLAME_HOST, "PACKAGES", "%s %s: %s", what, name, strerror(-e));
}

/* --- the directories -------------------------------------------------------------------------------------- */

int package_store_open(const char *state_dir, struct error *err)
{
    static const char *const parts[] = { "sets", "trees", "building" };
    char path[PATH_MAX];
    if (!state_dir || (size_t)snprintf(path, sizeof path, "%s/packages", state_dir) >= sizeof path)
        return err_set(err, -ENOENT, BLAME_HOST, "PACKAGES", "there is no state directory to keep packages in");
    const int made = make_dirs(path, 0700);
    cleanup(closep) int store = made < 0 ? -1 : open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (made < 0)
        errno = -made;
    if (store < 0) {
        (void)host_error(err, "open", path);
        return err_remedy(err, "run it as the user whose state directory that is, or set sandbox.paths.state_dir");
    }
    struct stat st;
    if (geteuid() == 0 && (fstat(store, &st) < 0 || st.st_uid != 0)) { /* what lies there may lead root elsewhere */
        (void)err_set(err, -EPERM, BLAME_CALLER, "PACKAGES", "%s belongs to user %u: root does not work in it", path,
                      (unsigned)st.st_uid);
        return err_remedy(err, "run it as that user (runuser -u NAME -- sandbox-agent packages ...)");
    }
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (mkdirat(store, parts[i], 0700) < 0 && errno != EEXIST)
            return host_error(err, "make", parts[i]);
    return TAKE_FD(store);
}

int package_store_lock(int store, bool is_exclusive, struct error *err)
{
    cleanup(closep) int fd = openat(store, "lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return host_error(err, "open", "packages/lock");
    while (flock(fd, is_exclusive ? LOCK_EX : LOCK_SH) < 0)
        if (errno != EINTR)
            return host_error(err, "lock", "packages/lock");
    return TAKE_FD(fd);
}

/* --- sets ------------------------------------------------------------------------------------------------- */

struct set_path {
    char text[sizeof "sets/" + PACKAGE_NAME_MAX + sizeof SUFFIX];
};

static const char *path_of(struct set_path *p, const char *name)
{
    assert(package_name_is_accepted(name)); /* our callers have refused what is none */
    (void)snprintf(p->text, sizeof p->text, "sets/%s" SUFFIX, name);
    return p->text;
}

int package_set_read(int store, const char *name, struct buf *ret, struct error *err)
{
    struct set_path p = { "" };
    buf_init(ret, PACKAGE_SET_MAX_SIZE);
    cleanup(closep) int fd = openat(store, path_of(&p, name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    const int e = fd < 0 ? -errno : read_open_file(fd, ret);
    if (e == -ENOENT)
        return e;
    errno = -e;
    return e < 0 ? host_error(err, "read", p.text) : 0;
}

struct brief_members {
    struct slice owner, tree, kind;
    uint64_t bytes;
};
static const struct member brief_table[] = { MEMBER("owner", MEMBER_TEXT, struct brief_members, owner),
                                             MEMBER("tree", MEMBER_TEXT, struct brief_members, tree),
                                             MEMBER("kind", MEMBER_TEXT, struct brief_members, kind),
                                             MEMBER("bytes", MEMBER_NUMBER, struct brief_members, bytes) };

static bool is_hash(struct slice s)
{
    return s.size == 64 && strspn(s.p, "0123456789abcdef") == 64;
}

int package_brief_read(const struct buf *text, struct package_brief *ret)
{
    struct brief_members m = { 0 };
    uint32_t seen = 0;
    size_t size = text->size;
    size -= size > 0 && text->data[size - 1] == '\n';
    if (members_read(text->data ? text->data : "", size, brief_table, ARRAY_LEN(brief_table), &m, &seen) < 0 ||
        seen != (1u << ARRAY_LEN(brief_table)) - 1 || m.owner.size >= sizeof ret->owner || !is_hash(m.tree))
        return -EBADMSG;
    (void)snprintf(ret->owner, sizeof ret->owner, "%.*s", (int)m.owner.size, m.owner.p);
    (void)snprintf(ret->tree, sizeof ret->tree, "%.*s", (int)m.tree.size, m.tree.p);
    ret->bytes = m.bytes;
    ret->kind = slice_is(m.kind, package_kind_names[PACKAGE_NODE]) ? PACKAGE_NODE : PACKAGE_PYTHON;
    return ret->kind == PACKAGE_NODE || slice_is(m.kind, package_kind_names[PACKAGE_PYTHON]) ? 0 : -EBADMSG;
}

int package_set_brief(int store, const char *name, struct package_brief *ret, struct error *err)
{
    struct buf text;
    int e = package_set_read(store, name, &text, err);
    if (e == 0 && package_brief_read(&text, ret) < 0) {
        e = err_set(err, -EBADMSG, BLAME_HOST, "PACKAGES", "packages/sets/%s.json is damaged", name);
        (void)err_remedy(err, "build the set again: sandbox-agent packages remove %s, then packages create", name);
    }
    buf_done(&text);
    return e == -ENOENT ? 1 : e;
}

int package_sets_each(int store, bool (*each)(void *context, const char *name), void *context, struct error *err)
{
    int fd = openat(store, "sets", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d) {
        const int e = host_error(err, "open", "packages/sets");
        closep(&fd);
        return e;
    }
    for (struct dirent *entry; (entry = readdir(d));) {
        char name[PACKAGE_NAME_MAX + 1];
        const size_t n = strlen(entry->d_name), end = sizeof SUFFIX - 1;
        if (n <= end || n - end > PACKAGE_NAME_MAX || !str_eq(entry->d_name + n - end, SUFFIX))
            continue;
        (void)snprintf(name, sizeof name, "%.*s", (int)(n - end), entry->d_name);
        if (package_name_is_accepted(name) && !each(context, name))
            break;
    }
    (void)closedir(d);
    return 0;
}

int package_set_write(int store, const char *name, const struct buf *content, struct error *err)
{
    static const char temporary[] = "sets/.new"; /* one writer: the lock */
    struct set_path p = { "" };
    if (unlinkat(store, temporary, 0) < 0 && errno != ENOENT)
        return host_error(err, "remove", temporary);
    cleanup(closep) int fd = openat(store, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int e = fd < 0 ? -errno : write_all(fd, content->data, content->size);
    if (e == 0 && fdatasync(fd) < 0)
        e = -errno;
    if (e == 0 && renameat(store, temporary, store, path_of(&p, name)) < 0)
        e = -errno;
    if (e == 0)
        return 0;
    (void)unlinkat(store, temporary, 0);
    errno = -e;
    return host_error(err, "write", path_of(&p, name));
}

int package_set_remove(int store, const char *name, struct error *err)
{
    struct set_path p = { "" };
    return unlinkat(store, path_of(&p, name), 0) < 0 && errno != ENOENT ? host_error(err, "remove", p.text) : 0;
}

/* --- use -------------------------------------------------------------------------------------------------- */

static int refuse_use(struct error *err, int code, const char *name, const char *why, const char *remedy)
{
    (void)err_set(err, code, code == -EACCES ? BLAME_POLICY : BLAME_CALLER, "PACKAGES", "packages %.80s: %s", name,
                  why);
    return err_remedy(err, "%s", remedy);
}

/* Under the shared lock: while it is held no tree goes away. */
static int hold_tree(int store, const struct package_brief *b, struct package_use *ret, struct error *err)
{
    char path[sizeof "trees/" + 64];
    struct stat st;
    (void)snprintf(path, sizeof path, "trees/%s", b->tree);
    cleanup(closep) int fd = openat(store, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &st) < 0 || flock(fd, LOCK_SH | LOCK_NB) < 0) {
        (void)host_error(err, "take hold of packages", path);
        return err_remedy(err, "build the set again: sandbox-agent packages create");
    }
    ret->dev = st.st_dev;
    ret->ino = st.st_ino;
    ret->fd = TAKE_FD(fd);
    return 0;
}

int package_use(const char *state_dir, const char *name, const char *owner, struct arena *a, struct package_use *ret,
                struct error *err)
{
    struct package_brief b;
    char real[PATH_MAX];
    *ret = (struct package_use){ .fd = -1 };
    if (!package_name_is_accepted(name))
        return refuse_use(err, -EINVAL, name, "no name of a set: " PACKAGE_NAME_WORDS,
                          "see sandbox-agent packages list");
    const char *path = arena_printf(a, "%s/packages", state_dir ? state_dir : "");
    cleanup(closep) int store = state_dir ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    cleanup(closep) int lock = store < 0 ? -1 : package_store_lock(store, false, err);
    if (store >= 0 && lock < 0)
        return lock;
    int e = store < 0 ? 1 : package_set_brief(store, name, &b, err);
    if (e > 0)
        return refuse_use(err, -ENOENT, name, "there is no such set",
                          "see sandbox-agent packages list, or make it: sandbox-agent packages create");
    if (e == 0 && owner && !str_eq(owner, b.owner))
        return refuse_use(err, -EACCES, name, "the set belongs to another owner",
                          "build one of your own, by another name");
    if (e == 0)
        e = hold_tree(store, &b, ret, err);
    if (e < 0)
        return e;
    if (!realpath(path, real)) {
        closep(&ret->fd);
        return host_error(err, "resolve", path);
    }
    ret->name = arena_copy(a, name);
    ret->tree = arena_copy(a, b.tree);
    ret->kind = b.kind;
    ret->host = arena_printf(a, "%s/trees/%s", real, b.tree);
    return 0;
}
