#include "files/checkpoint_record.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>

#include "base/io.h"
#include "base/pack.h"
#include "base/parse.h"
#include "files/internal.h"

#define RECORD_MAX (512 * MIB) /* WFILE_MAX_ENTRIES, 500 bytes each */
#define PREFIX     "record-"
#define UNFINISHED "unfinished" /* a record that is being written */
#define NOREPLACE  1u           /* RENAME_NOREPLACE, which musl does not name */

static void name_of(uint64_t number, char name[static RECORD_NAME_MAX])
{
    (void)snprintf(name, RECORD_NAME_MAX, PREFIX "%llu", (unsigned long long)number);
}

/* --- writing ------------------------------------------------------------------------------------------- */

void wfile_record_add(struct buf *text, const struct record_entry *e)
{
    const uint64_t numbers[] = { e->stat.kind, e->stat.mode, e->stat.size, (uint64_t)e->stat.modified_s,
                                 e->stat.modified_ns };
    if (!text->max)
        buf_init(text, RECORD_MAX);
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        pack_u64(text, numbers[i]);
    pack_str(text, e->path);
    pack_str(text, e->target);
    pack_str(text, e->copy);
}

/* Whole, or not at all: the worker may be killed at any moment. Without fsync(): the store lies in memory, and goes
 * with the machine. */
int wfile_record_write(int store, uint64_t number, const struct buf *text)
{
    char name[RECORD_NAME_MAX];
    name_of(number, name);
    if (text->failed)
        return -ENOMEM;
    (void)unlinkat(store, UNFINISHED, 0); /* of a worker that was killed */
    cleanup(closep) int fd = openat(store, UNFINISHED, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int e = fd < 0 ? -errno : write_all(fd, text->data ? text->data : "", text->size);
    if (e == 0 && syscall(SYS_renameat2, store, UNFINISHED, store, name, NOREPLACE) < 0)
        e = -errno;
    if (e < 0)
        (void)unlinkat(store, UNFINISHED, 0);
    return e;
}

bool wfile_record_is_there(int store, uint64_t number)
{
    char name[RECORD_NAME_MAX];
    name_of(number, name);
    return faccessat(store, name, F_OK, 0) == 0;
}

void wfile_record_remove(int store, uint64_t number)
{
    char name[RECORD_NAME_MAX];
    name_of(number, name);
    (void)unlinkat(store, name, 0);
}

/* --- reading ------------------------------------------------------------------------------------------- */

static bool is_copy_name(const char *name)
{
    return strlen(name) < RECORD_NAME_MAX && strspn(name, "0123456789-") == strlen(name);
}

static bool read_entry(struct unpack *u, struct record_entry *ret)
{
    uint64_t numbers[5];
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        numbers[i] = unpack_u64(u);
    *ret = (struct record_entry){ .path = unpack_str(u), .target = unpack_str(u), .copy = unpack_str(u) };
    ret->stat = (struct wfile_stat){ .kind = (enum wfile_kind)numbers[0],
                                     .mode = (uint32_t)numbers[1],
                                     .size = numbers[2],
                                     .modified_s = (int64_t)numbers[3],
                                     .modified_ns = (uint32_t)numbers[4] };
    return !u->failed && ret->path && ret->target && ret->copy && is_copy_name(ret->copy) &&
           wfile_path_is_sound(ret->path, strlen(ret->path)) && numbers[0] <= WFILE_DEVICE && numbers[1] <= 0777 &&
           numbers[2] <= INT64_MAX && numbers[4] <= 999999999;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const struct record_entry *)a)->path, ((const struct record_entry *)b)->path);
}

static int read_entries(struct record *r)
{
    struct unpack u = unpack_start(r->text.data, r->text.size);
    size_t room = 0;
    while (u.p < u.end) {
        if (r->count == room) {
            room = room ? 2 * room : 64;
            struct record_entry *more = reallocarray(r->entries, room, sizeof *more);
            if (!more)
                return -ENOMEM;
            r->entries = more;
        }
        if (!read_entry(&u, &r->entries[r->count]))
            return -EBADMSG;
        r->count++;
    }
    if (r->count)
        qsort(r->entries, r->count, sizeof *r->entries, by_path);
    return 0;
}

int wfile_record_read(int store, uint64_t number, struct record *ret)
{
    char name[RECORD_NAME_MAX];
    name_of(number, name);
    *ret = (struct record){ 0 };
    cleanup(closep) int fd = openat(store, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? -ESRCH : -errno;
    buf_init(&ret->text, RECORD_MAX);
    const int e = read_open_file(fd, &ret->text);
    return e < 0 ? e : read_entries(ret);
}

void wfile_record_done(struct record *r)
{
    free(r->entries);
    buf_done(&r->text);
    *r = (struct record){ 0 };
}

const struct record_entry *wfile_record_find(const struct record *r, const char *path)
{
    const struct record_entry key = { .path = path };
    return r->count ? bsearch(&key, r->entries, r->count, sizeof key, by_path) : NULL;
}

DIR *wfile_record_names(int dir)
{
    cleanup(closep) int copy = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *d = copy < 0 ? NULL : fdopendir(copy);
    if (d)
        (void)TAKE_FD(copy);
    return d;
}

int wfile_record_neighbours(int store, uint64_t number, uint64_t *ret_before, uint64_t *ret_after)
{
    DIR *d = wfile_record_names(store);
    uint64_t n, before = 0, after = 0;
    if (!d)
        return -errno;
    for (const struct dirent *each; (each = readdir(d));) {
        if (!str_starts(each->d_name, PREFIX) || parse_u64(each->d_name + strlen(PREFIX), &n) < 0)
            continue;
        if (n < number)
            before = MAX_OF(before, n);
        if (n > number)
            after = after ? MIN_OF(after, n) : n;
    }
    (void)closedir(d);
    *ret_before = before;
    *ret_after = after;
    return 0;
}
