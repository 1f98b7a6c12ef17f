#include "run/binary.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include "base/cache.h"
#include "base/dirs.h"
#include "base/progress.h"
#include "run/backend.h"
#include "run/stream.h"
#include "plan/lang.h"

#define MESSAGES_MAX (1u << 20)
#define NAME_DIGITS  16u /* of a cache entry */

/* «SABIN2», stamp, source, and then the binary's size: what stands before the binary in a cache entry. A file that was
 * cut off by a crash has another size than it says. */
static void entry_head(const struct run_request *r, const char *stamp, struct buf *out)
{
    buf_init(out, REQUEST_MAX_CODE_BYTES + 8192);
    (void)buf_adds(out, "SABIN2\n");
    pack_str(out, language_names[r->language]);
    pack_str(out, stamp);
    pack_bytes(out, (struct bytes){ r->code, (uint32_t)r->code_size });
}

static uint64_t fnv1a(const char *p, size_t n)
{
    uint64_t h = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)p[i]) * UINT64_C(1099511628211);
    return h;
}

static int copy_to_memfd(int in, off_t offset, uint64_t size)
{
    cleanup(closep) int fd = memfd_create("binary", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0)
        return -errno;
    while (size) {
        ssize_t n = sendfile(fd, in, &offset, size);
        if (n <= 0)
            return n < 0 ? -errno : -EIO;
        size -= (uint64_t)n;
    }
    return TAKE_FD(fd);
}

/* Only what no other user may have written. */
static int find_cached(const char *path, const char *name, const struct buf *head, struct binary *ret)
{
    struct stat st;
    cleanup(closep) int dir = cache_open(path),
                        fd = dir < 0 ? -1 : openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || st.st_uid != geteuid() || !cache_is_ours(&st) ||
        (uint64_t)st.st_size <= head->size + sizeof ret->size)
        return -ENOENT;
    char *old = malloc(head->size);
    bool is_equal = old && pread(fd, old, head->size, 0) == (ssize_t)head->size &&
                    memcmp(old, head->data, head->size) == 0;
    free(old);
    off_t start = (off_t)(head->size + sizeof ret->size);
    if (!is_equal || pread(fd, &ret->size, sizeof ret->size, (off_t)head->size) != (ssize_t)sizeof ret->size ||
        ret->size != (uint64_t)(st.st_size - start))
        return -ENOENT;
    ret->fd = copy_to_memfd(fd, start, ret->size);
    return ret->fd < 0 ? ret->fd : 0;
}

static bool is_entry(const char *name)
{
    return strlen(name) == NAME_DIGITS && strspn(name, "0123456789abcdef") == NAME_DIGITS;
}

/* Of some MiB each. Who writes one has waited for a compiler, and can look. */
static const struct cache cache = { .is_entry = is_entry, .most = 100, .sweep_one_in = 1 };

/* A cache that cannot be written costs the next run a compile, no more. */
static void store_cached(const char *path, const char *name, const struct buf *head, const struct binary *b)
{
    char temp[CACHE_TEMP_SIZE];
    cleanup(closep) int dir = make_dirs(path, 0700) < 0 ? -1 : cache_open(path),
                        fd = dir < 0 ? -1 : cache_create(&cache, dir, temp);
    if (fd < 0)
        return;
    off_t offset = 0;
    bool ok = write(fd, head->data, head->size) == (ssize_t)head->size &&
              write(fd, &b->size, sizeof b->size) == (ssize_t)sizeof b->size;
    for (uint64_t left = b->size; ok && left;) {
        ssize_t n = sendfile(fd, b->fd, &offset, left);
        ok = n > 0;
        left -= ok ? (uint64_t)n : 0;
    }
    if (!ok || renameat(dir, temp, dir, name) < 0)
        (void)unlinkat(dir, temp, 0);
}

static int source_memfd(const struct run_request *r)
{
    cleanup(closep) int fd = memfd_create("source", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0 || write(fd, r->code, r->code_size) != (ssize_t)r->code_size)
        return -EIO;
    return TAKE_FD(fd);
}

static uint32_t look_at_progress(void *progress)
{
    return progress_look(progress);
}

static int compile(struct client *c, uint64_t tag, int stop, const struct plan *plan, const struct run_request *r,
                   struct progress *p, struct binary *ret, struct error *err)
{
    int out[2], fds[RUN_FD_MAX];
    cleanup(closep) int source = source_memfd(r), null = open("/dev/null", O_RDWR | O_CLOEXEC);
    cleanup(closep) int artifact = memfd_create("binary", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (source < 0 || null < 0 || artifact < 0 || pipe2(out, O_CLOEXEC) < 0)
        return err_set(err, -errno, BLAME_HOST, "COMPILE", "descriptors for the compiler: %m");
    fds[RUN_FD_STDIN] = null;
    fds[RUN_FD_STDOUT] = fds[RUN_FD_STDERR] = out[1];
    fds[RUN_FD_CODE] = source;
    fds[RUN_FD_ARTIFACT] = artifact;
    struct stream s = { .out = { { .pipe = out[0], .to = -1, .max_bytes = MESSAGES_MAX },
                                 { .pipe = -1, .to = -1, .max_bytes = MESSAGES_MAX } },
                        .log = -1,
                        .copy = -1,
                        .input = -1,
                        .input_pipe = -1,
                        .stop = stop,
                        .sizes = -1,
                        .peer = -1,
                        .reports.pipe = -1,
                        .observe = { .sock = -1, .record = -1 },
                        .decoy.inotify = -1 };
    buf_init(&s.out[0].kept, MESSAGES_MAX);
    stream_set_limit(&s, plan);
    if (p)
        stream_set_tick(&s, progress_look(p), look_at_progress, p);
    int e = backend_run(c, tag, plan, fds, err);
    (void)close(out[1]);
    if (e == 0)
        e = stream_run(&s, c, tag, &ret->outcome, err);
    closep(&s.out[0].pipe);
    if (e < 0) {
        buf_done(&s.out[0].kept);
        return e;
    }
    ret->messages = s.out[0].kept;
    ret->caught = s.caught;
    if (s.caught) /* also where the compiler was faster than its end: no process will tell the program's run once more
                   */
        ret->outcome.reason = REASON_KILLED, ret->outcome.has_exit = false;
    ret->has_failed = ret->outcome.reason != REASON_COMPLETED || !ret->outcome.artifact_bytes;
    if (!ret->has_failed) {
        ret->size = ret->outcome.artifact_bytes;
        ret->fd = TAKE_FD(artifact);
    }
    return 0;
}

/* *ret_stamp: "" for a compiler that could be another one tomorrow without our seeing it: nothing is cached. In a
 * container that is every image whose name does not hold its digest. */
static int find_compiler(const struct compiled *policy, const struct run_request *r, struct arena *a, const char **ret,
                         const char **ret_stamp, struct error *err)
{
    if (r->backend == BACKEND_DOCKER) {
        const char *image = policy->profile.languages[r->language].image;
        *ret = lang_driver(r->language)->name;
        *ret_stamp = image && strstr(image, "sha256:") ? arena_printf(a, "image %s", image) : "";
        return 0;
    }
    *ret = lang_find_program(r->language, a, err);
    *ret_stamp = *ret ? lang_compiler_stamp(*ret, a) : "";
    return *ret ? 0 : err->code;
}

int binary_get(struct client *c, uint64_t tag, int stop, const struct compiled *policy, const struct run_request *r,
               const char *id, const char *cache_dir, bool is_shown, struct arena *a, struct plan *ret_plan,
               struct binary *ret, struct error *err)
{
    struct progress progress;
    struct buf head;
    *ret = (struct binary){ .fd = -1 };
    const char *compiler, *stamp = "";
    int e = find_compiler(policy, r, a, &compiler, &stamp, err);
    if (e < 0)
        return e;
    entry_head(r, stamp, &head);
    const char *dir = cache_dir && *stamp ? arena_printf(a, "%s/compiled", cache_dir) : NULL;
    const char *name = arena_printf(a, "%0*llx", (int)NAME_DIGITS, (unsigned long long)fnv1a(head.data, head.size));
    e = dir && find_cached(dir, name, &head, ret) == 0 ? 1 : 0;
    if (e == 0) {
        e = plan_build_compiler(policy, r, id, compiler, a, ret_plan, err);
        progress_begin(&progress, r->language == LANG_GO ? "compiling go" : "compiling rust");
        if (e == 0)
            e = compile(c, tag, stop, ret_plan, r, is_shown ? &progress : NULL, ret, err);
        progress_end(&progress);
        if (e == 0 && !ret->has_failed && dir)
            store_cached(dir, name, &head, ret);
    }
    buf_done(&head);
    return MIN_OF(e, 0);
}
