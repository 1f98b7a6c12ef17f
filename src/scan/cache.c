#include "scan/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include "scan/stamp.h"
#include "scan/worker.h"
#include "base/io.h"

#define HEAD_MAX_BYTES (SCAN_CACHE_MAX_BYTES + 128u * 1024u)
#define MAX_ENTRIES 1024u
#define TEMP_MAX_AGE_S 60

static void pack_program(struct buf *out, const char *path)
{
    struct stat st = { 0 };
    (void)stat(path, &st); /* absent: zeros, and the start will say so */
    pack_str(out, path);
    pack_u64(out, (uint64_t)st.st_size);
    pack_u64(out, (uint64_t)st.st_mtim.tv_sec);
    pack_u64(out, (uint64_t)st.st_mtim.tv_nsec);
}

void scan_cache_head(const struct scan_cache_key *k, struct buf *out)
{
    static const struct strlist none;
    buf_init(out, HEAD_MAX_BYTES);
    (void)buf_adds(out, "SASCAN1\n");
    pack_str(out, k->rules_id);
    pack_program(out, k->program);
    pack_u64(out, k->language);
    pack_list(out, k->patterns ? k->patterns : &none);
    pack_bytes(out, (struct bytes){ k->code, (uint32_t)k->code_size });
}

static bool is_ours(const struct stat *st)
{
    return (st->st_uid == geteuid() || st->st_uid == 0) && (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static int open_dir(const char *cache_dir)
{
    char path[4096];
    struct stat st;
    if (snprintf(path, sizeof path, "%s/scan", cache_dir) >= (int)sizeof path)
        return -ENAMETOOLONG;
    cleanup(closep) int fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) < 0 || !is_ours(&st))
        return -EPERM;
    return TAKE_FD(fd);
}

static void entry_name(const struct buf *head, char out[static 24])
{
    struct stamp s = stamp_start();
    stamp_add(&s, head->data, head->size);
    stamp_print(&s, out);
}

/* The whole of fd must be head, a size, and so many bytes. */
static int read_entry(int fd, const struct buf *head, void **ret, size_t *ret_size)
{
    struct stat st;
    uint64_t size = 0;
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || !is_ours(&st) || (uint64_t)st.st_size < head->size + sizeof size ||
        (uint64_t)st.st_size > head->size + sizeof size + FRAME_MAX_BYTES)
        return 0;
    size_t whole = (size_t)st.st_size;
    cleanup(freep) char *bytes = malloc(whole);
    if (!bytes || read(fd, bytes, whole) != (ssize_t)whole || memcmp(bytes, head->data, head->size) != 0)
        return 0;
    memcpy(&size, bytes + head->size, sizeof size);
    if (size != whole - head->size - sizeof size)
        return 0;
    memmove(bytes, bytes + head->size + sizeof size, (size_t)size);
    *ret = TAKE_PTR(bytes);
    *ret_size = (size_t)size;
    return 1;
}

int scan_cache_find(const char *dir, const struct buf *head, void **ret, size_t *ret_size)
{
    char name[24];
    cleanup(closep) int at = open_dir(dir);
    if (at < 0 || head->failed)
        return 0;
    entry_name(head, name);
    cleanup(closep) int fd = openat(at, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    return fd < 0 ? 0 : read_entry(fd, head, ret, ret_size);
}

static bool is_old_temp(int dir, const char *name)
{
    struct stat st;
    return str_starts(name, ".tmp.") && fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
           st.st_mtime < time(NULL) - TEMP_MAX_AGE_S;
}

/* What a killed writer left; and everything when there is too much of it: what is still needed comes back. */
static void sweep(int dir)
{
    cleanup(closep) int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);
    if (!d)
        return;
    fd = -EBADF; /* closedir() closes it */
    size_t count = 0;
    const struct dirent *e;
    while ((e = readdir(d)))
        count += e->d_name[0] != '.';
    rewinddir(d);
    while ((e = readdir(d)))
        if (is_old_temp(dir, e->d_name) || (count > MAX_ENTRIES && e->d_name[0] != '.'))
            (void)unlinkat(dir, e->d_name, 0); /* another process may have been faster */
    (void)closedir(d);
}

void scan_cache_keep(const char *dir, const struct buf *head, const void *report, size_t size)
{
    char name[24], temp[32], path[4096];
    uint64_t nonce = 0, size64 = size;
    if (head->failed || snprintf(path, sizeof path, "%s/scan", dir) >= (int)sizeof path)
        return;
    if (mkdir(dir, 0700) < 0 && errno != EEXIST)
        return;
    (void)mkdir(path, 0700);
    cleanup(closep) int at = open_dir(dir);
    if (at < 0 || getrandom(&nonce, sizeof nonce, 0) != (ssize_t)sizeof nonce)
        return;
    if (nonce % 64 == 0) /* a look at the directory takes a millisecond when it is full */
        sweep(at);
    entry_name(head, name);
    (void)snprintf(temp, sizeof temp, ".tmp.%016llx", (unsigned long long)nonce);
    cleanup(closep) int fd = openat(at, temp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    if (write_all(fd, head->data, head->size) < 0 || write_all(fd, &size64, sizeof size64) < 0 || write_all(fd, report, size) < 0 ||
        renameat(at, temp, at, name) < 0)
        (void)unlinkat(at, temp, 0); /* the sweep takes what stays */
}
