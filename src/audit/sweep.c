/* Removal by age. The link count of an object is the number of names: one in the pool, one for each run that has it. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include "audit/artifacts.h"
#include "audit/dir.h"

/* A run without a manifest is still going on, or died: none lasts longer than this (parse_duration: 7 days). */
#define LONGEST_RUN_MS (UINT64_C(8) * 24 * 3600 * 1000)

struct sweep {
    const char *path;
    uint64_t before_ms;
    struct sweep_result *ret;
    struct error *err;
    int first_error;
};

static void failed(struct sweep *s, const char *name)
{
    if (s->first_error)
        return;
    s->first_error = -errno;
    (void)err_set(s->err, s->first_error, BLAME_HOST, "ARTIFACTS", "remove %s/%s: %m", s->path, name);
}

static DIR *open_dir(int at, const char *name)
{
    int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d)
        closep(&fd);
    return d;
}

static uint64_t modified_ms(const struct stat *st)
{
    return (uint64_t)st->st_mtim.tv_sec * 1000 + (uint64_t)st->st_mtim.tv_nsec / 1000000;
}

static bool is_due(const struct sweep *s, int dir)
{
    struct stat st;
    struct timespec now;
    if (fstatat(dir, "manifest.json", &st, AT_SYMLINK_NOFOLLOW) == 0)
        return modified_ms(&st) < s->before_ms;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    return fstat(dir, &st) == 0 && modified_ms(&st) < s->before_ms &&
           modified_ms(&st) + LONGEST_RUN_MS < (uint64_t)now.tv_sec * 1000;
}

static void remove_execution(struct sweep *s, int top, const char *name)
{
    DIR *d = open_dir(top, name);
    if (!d)
        return; /* not a directory: none of ours */
    if (is_due(s, dirfd(d))) {
        for (struct dirent *e; (e = readdir(d));)
            if (!str_eq(e->d_name, ".") && !str_eq(e->d_name, "..") && unlinkat(dirfd(d), e->d_name, 0) < 0)
                failed(s, name);
        if (unlinkat(top, name, AT_REMOVEDIR) == 0)
            s->ret->executions++;
        else
            failed(s, name);
    }
    (void)closedir(d);
}

static void sweep_objects(struct sweep *s, int objects, const char *folder)
{
    DIR *d = open_dir(objects, folder);
    if (!d)
        return;
    for (struct dirent *e; (e = readdir(d));) {
        struct stat st;
        if (e->d_name[0] == '.' || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode) ||
            st.st_nlink > 1)
            continue;
        /* a run that links it this moment keeps the content by its own link */
        if (unlinkat(dirfd(d), e->d_name, 0) == 0) {
            s->ret->objects++;
            s->ret->bytes += (uint64_t)st.st_size;
        } else {
            failed(s, folder);
        }
    }
    (void)closedir(d);
}

int artifacts_sweep(const char *path, uint64_t before_ms, struct sweep_result *ret, struct error *err)
{
    struct sweep s = { .path = path, .before_ms = before_ms, .ret = ret, .err = err };
    *ret = (struct sweep_result){ 0 };
    DIR *top = open_dir(AT_FDCWD, path);
    if (!top)
        return errno == ENOENT ? 0 : err_set(err, -errno, BLAME_HOST, "ARTIFACTS", "%s: %m", path);
    cleanup(dir_leave) struct dir_visit visit = dir_enter(dirfd(top));
    for (struct dirent *e; (e = readdir(top));)
        if (artifacts_id_is_valid(e->d_name))
            remove_execution(&s, dirfd(top), e->d_name);
    DIR *objects = open_dir(dirfd(top), "objects");
    for (struct dirent *e; objects && (e = readdir(objects));)
        if (e->d_name[0] != '.')
            sweep_objects(&s, dirfd(objects), e->d_name);
    if (objects)
        (void)closedir(objects);
    (void)closedir(top);
    return s.first_error;
}
