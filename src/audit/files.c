#include "audit/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include "audit/dir.h"
#include "base/parse.h"

void files_rotated_name(uint64_t first, char out[static FILES_NAME_SIZE])
{
    (void)snprintf(out, FILES_NAME_SIZE, "audit-%012llu.jsonl", (unsigned long long)first);
}

void files_index_name(const char *name, const char *ending, char out[static FILES_NAME_SIZE])
{
    size_t n = strlen(name);
    if (n > 6 && str_eq(name + n - 6, ".jsonl"))
        n -= 6;
    (void)snprintf(out, FILES_NAME_SIZE, "%.*s.%s", (int)MIN_OF(n, (size_t)40), name, ending);
}

const char *files_name(const struct audit_file *f, char out[static FILES_NAME_SIZE])
{
    if (f->first == UINT64_MAX)
        (void)snprintf(out, FILES_NAME_SIZE, "audit.jsonl");
    else
        files_rotated_name(f->first, out);
    return out;
}

static bool first_of(const char *name, uint64_t *ret)
{
    char number[24], again[FILES_NAME_SIZE];
    size_t n = strlen(name);
    if (str_eq(name, "audit.jsonl")) {
        *ret = UINT64_MAX;
        return true;
    }
    if (!str_starts(name, "audit-") || n < 13 || n - 12 >= sizeof number || !str_eq(name + n - 6, ".jsonl"))
        return false;
    memcpy(number, name + 6, n - 12);
    number[n - 12] = '\0';
    if (parse_u64(number, ret) < 0)
        return false;
    files_rotated_name(*ret, again);
    return str_eq(again, name); /* one name for each number */
}

static int by_first(const void *a, const void *b)
{
    const struct audit_file *x = a, *y = b;
    return x->first < y->first ? -1 : x->first > y->first;
}

static int add(struct audit_files *f, uint64_t first, const struct stat *st)
{
    if (f->count == FILES_MAX)
        return -E2BIG;
    if (f->count % 64 == 0) {
        struct audit_file *more = realloc(f->list, (f->count + 64) * sizeof *more);
        if (!more)
            return -ENOMEM;
        f->list = more;
    }
    f->list[f->count++] = (struct audit_file){
        .first = first, .size = (uint64_t)st->st_size, .dev = st->st_dev, .ino = st->st_ino
    };
    return 0;
}

static int open_file(const struct audit_files *f, size_t i)
{
    char name[FILES_NAME_SIZE];
    cleanup(dir_leave) struct dir_visit visit = dir_enter(f->dir_fd);
    int fd = openat(f->dir_fd, files_name(&f->list[i], name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

int files_list(const char *dir, bool has_lock, struct audit_files *ret, struct error *err)
{
    int e = 0, fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    *ret = (struct audit_files){ .dir_fd = fd, .newest = -1 };
    if (fd < 0)
        return err_set(err, -errno, BLAME_HOST, "AUDIT", "%s: %m", dir);
    cleanup(closep) int lock = has_lock
                                   ? -1
                                   : files_lock(
                                         fd); /* without it (no lock file, no right to read it) as well as may be */
    int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy < 0 ? NULL : fdopendir(copy);
    if (!d) {
        e = err_set(err, -errno, BLAME_HOST, "AUDIT", "%s: %m", dir);
        closep(&copy);
    }
    for (struct dirent *entry; e == 0 && d && (entry = readdir(d));) {
        struct stat st;
        uint64_t first;
        if (first_of(entry->d_name, &first) && fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(st.st_mode) && (e = add(ret, first, &st)) < 0)
            (void)err_set(err, e, BLAME_HOST, "AUDIT", "files of the audit in %s: %s", dir, strerror(-e));
    }
    if (d)
        (void)closedir(d);
    if (e < 0)
        files_done(ret);
    if (e < 0 || !ret->count)
        return e;
    qsort(ret->list, ret->count, sizeof *ret->list, by_first);
    ret->newest = open_file(ret, ret->count - 1);
    return 0;
}

void files_done(struct audit_files *f)
{
    closep(&f->dir_fd);
    closep(&f->newest);
    free(f->list);
    f->list = NULL;
    f->count = 0;
}

int files_open(const struct audit_files *f, size_t i)
{
    if (i + 1 < f->count || f->newest < 0)
        return open_file(f, i);
    int fd = fcntl(f->newest, F_DUPFD_CLOEXEC, 3);
    return fd < 0 ? -errno : fd;
}

int files_lock(int dir_fd)
{
    const struct timespec pause = { .tv_nsec = 1000000 };
    cleanup(dir_leave) struct dir_visit visit = dir_enter(dir_fd);
    int fd = openat(dir_fd, "audit.lock", O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return -errno;
    for (int i = 0; flock(fd, LOCK_SH | LOCK_NB) < 0; i++) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || i == 5000) {
            int e = errno == EWOULDBLOCK ? ETIMEDOUT : errno;
            (void)close(fd);
            return -e;
        }
        (void)nanosleep(&pause, NULL);
    }
    return fd;
}
