#include "scan/cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include "scan/stamp.h"
#include "scan/worker.h"
#include "base/cache.h"
#include "base/io.h"

#define HEAD_MAX_BYTES (SCAN_CACHE_MAX_BYTES + 128u * 1024u)

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

static int open_dir(const char *cache_dir)
{
    char path[4096];
    return snprintf(path, sizeof path, "%s/scan", cache_dir) >= (int)sizeof path ? -ENAMETOOLONG : cache_open(path);
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
    if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || !cache_is_ours(&st) ||
        (uint64_t)st.st_size < head->size + sizeof size ||
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

static bool is_entry(const char *name)
{
    return name[0] != '.';
}

/* A look at the directory takes a millisecond when it is full. */
static const struct cache cache = { .is_entry = is_entry, .most = 1024, .sweep_one_in = 64 };

void scan_cache_keep(const char *dir, const struct buf *head, const void *report, size_t size)
{
    char name[24], temp[CACHE_TEMP_SIZE], path[4096];
    uint64_t size64 = size;
    if (head->failed || snprintf(path, sizeof path, "%s/scan", dir) >= (int)sizeof path)
        return;
    if (mkdir(dir, 0700) < 0 && errno != EEXIST)
        return;
    (void)mkdir(path, 0700);
    cleanup(closep) int at = open_dir(dir);
    if (at < 0)
        return;
    entry_name(head, name);
    cleanup(closep) int fd = cache_create(&cache, at, temp);
    if (fd < 0)
        return;
    if (write_all(fd, head->data, head->size) < 0 || write_all(fd, &size64, sizeof size64) < 0 ||
        write_all(fd, report, size) < 0 || renameat(at, temp, at, name) < 0)
        (void)unlinkat(at, temp, 0); /* the sweep takes what stays */
}
