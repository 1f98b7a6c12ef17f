#include "engine/volume.h"

#include <fcntl.h>
#include "base/clock.h"
#include "base/io.h"
#include "base/path.h"
#include "engine/archive.h"

/* --- the archive --------------------------------------------------------------------------------- */

/* Each directory above name, once: those that the file before had are there. */
static int add_parents(struct buf *b, const char *name, const char *before)
{
    char dir[4096];
    for (const char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
        size_t n = (size_t)(slash - name);
        if (n >= sizeof dir)
            return -ENAMETOOLONG;
        if (before && strncmp(name, before, n + 1) == 0)
            continue;
        memcpy(dir, name, n);
        dir[n] = '\0';
        int r = archive_dir(b, dir, 0555);
        if (r < 0)
            return r;
    }
    return 0;
}

static int add_slice(struct buf *b, const char *name, uint32_t mode, int fd, uint64_t offset, uint64_t size)
{
    cleanup(freep) char *data = size <= ARCHIVE_MAX ? malloc(size + 1) : NULL;
    if (!data)
        return size <= ARCHIVE_MAX ? -ENOMEM : -EFBIG;
    for (uint64_t done = 0; done < size;) {
        ssize_t n = pread(fd, data + done, size - done, (off_t)(offset + done));
        if (n <= 0)
            return n < 0 ? -errno : -EIO;
        done += (uint64_t)n;
    }
    return archive_file(b, name, mode, data, size);
}

static int add_program(struct buf *b, const char *path)
{
    struct buf text;
    buf_init(&text, 16 * MIB);
    int r = read_file(path, &text);
    if (r == 0)
        r = archive_file(b, ENTRY_NAME, 0555, text.data, text.size);
    buf_done(&text);
    return r;
}

static bool is_code(const struct plan_file *f)
{
    return path_is_within(f->path, CODE_DIR) && f->path[strlen(CODE_DIR)] == '/';
}

int volume_archive(const struct request *q, const char *entry, struct buf *ret, struct error *err)
{
    const char *before = NULL;
    int r = archive_dir(ret, ".", 0555);
    if (r == 0 && (r = add_program(ret, entry)) < 0) {
        (void)err_set(err, r, BLAME_HOST, "CODE", "%s: %s", entry, strerror(-r));
        return err_remedy(err, "the installation is incomplete: run `make install` again");
    }
    for (uint32_t i = 0; r == 0 && i < q->job.file_count; i++) {
        const struct plan_file *f = &q->job.files[i];
        const char *name = f->path + sizeof CODE_DIR;
        if (!is_code(f))
            continue;
        if (str_eq(name, ENTRY_NAME))
            return err_set(err, -EINVAL, BLAME_CALLER, "CODE", "a file of the code is called %s, as our own program is",
                           f->path);
        r = add_parents(ret, name, before);
        if (r == 0) /* root's, and never to be written: what may read it may run it */
            r = add_slice(ret, name, f->mode & 0111 ? 0555 : 0444, q->fds[RUN_FD_CODE], f->offset, f->size);
        before = name;
    }
    if (r == 0)
        r = archive_end(ret);
    return r < 0 ? err_set(err, r, BLAME_HOST, "CODE", "pack the code: %s", strerror(-r)) : 0;
}

static const struct plan_file *same_bytes(const struct job *j, const struct plan_file *f)
{
    for (uint32_t i = 0; i < j->file_count; i++)
        if (is_code(&j->files[i]) && j->files[i].offset == f->offset && j->files[i].size == f->size)
            return &j->files[i];
    return NULL;
}

int volume_copies(const struct request *q, struct strlist *ret, struct error *err)
{
    for (uint32_t i = 0; i < q->job.file_count; i++) {
        const struct plan_file *f = &q->job.files[i], *from = is_code(f) ? NULL : same_bytes(&q->job, f);
        if (is_code(f))
            continue;
        if (!from)
            return err_set(err, -EINVAL, BLAME_US, "CHECK", "file %s has no source below " CODE_DIR, f->path);
        if (strlist_add(ret, from->path) < 0 || strlist_add(ret, f->path) < 0)
            return err_set(err, -E2BIG, BLAME_HOST, "CHECK", "too many files");
    }
    return 0;
}

/* --- the engine's part --------------------------------------------------------------------------------- */

/* 409: it is being removed. Podman (4.3) answers 500 while one that has just ended is not yet seen as ended. */
int container_remove(struct engine *e, struct arena *a, const char *id, struct error *err)
{
    static const long done[] = { 200, 204, 404, 409, 0 };
    const char *path = arena_printf(a, "/containers/%s?force=1&v=1", engine_escape(a, id));
    int r = 0;
    for (unsigned ms = 5; ms < 1000; ms *= 2) {
        struct error why = { 0 };
        r = engine_call(e, "DELETE", path, NULL, done, NULL, &why);
        if (r < 0 && err)
            *err = why;
        if (r == 0 || e->status != 500 || !e->is_podman)
            return r;
        (void)usleep(ms * 1000);
    }
    return r;
}

int volume_remove(struct engine *e, struct arena *a, const char *name, struct error *err)
{
    static const long done[] = { 200, 204, 404, 0 };
    static const long done_or_busy[] = { 200, 204, 404, 409, 0 };
    const char *path = arena_printf(a, "/volumes/%s?force=0", engine_escape(a, name));
    /* 409: a container that is just being removed still counts as its user, on a busy machine for seconds. No longer
     * than any answer may take. */
    const uint64_t until_ms = clock_ms() + e->answer_ms;
    for (unsigned ms = 5; clock_ms() + ms < until_ms; ms = MIN_OF(2 * ms, 200u)) {
        int r = engine_call(e, "DELETE", path, NULL, done_or_busy, NULL, err);
        if (r < 0 || e->status != 409)
            return r;
        (void)usleep(ms * 1000);
    }
    return engine_call(e, "DELETE", path, NULL, done, NULL, err);
}

/* The labels are the volume's too: an engine that hung, and comes to this after we have given up and removed the
 * volume, makes it anew. */
static json_t *filler_body(const char *volume, const char *image, json_t *labels)
{
    return json_pack("{s:s, s:[s], s:s, s:b, s:O, s:{s:s, s:{s:s}, s:[{s:s, s:s, s:s, s:{s:b, s:O}}]}}", "Image", image,
                     "Entrypoint", CODE_DIR "/" ENTRY_NAME, "User", "65534:65534", "NetworkDisabled", 1, "Labels",
                     labels, "HostConfig", "NetworkMode", "none", "LogConfig", "Type", "none", "Mounts", "Type",
                     "volume", "Source", volume, "Target", CODE_DIR, "VolumeOptions", "NoCopy", 1, "Labels", labels);
}

static int fill(struct engine *e, struct arena *a, const char *volume, json_t *filler, struct bytes tar,
                struct error *err)
{
    static const long made[] = { 201, 0 };
    json_t *answer = NULL;
    const char *path = arena_printf(a, "/containers/create?name=%s-code", engine_escape(a, volume));
    int r = filler ? engine_call(e, "POST", path, filler, made, &answer, err)
                   : err_set(err, -ENOMEM, BLAME_HOST, "CODE", "no memory");
    const char *id = json_string_value(json_object_get(answer, "Id"));
    if (r == 0 && !id)
        r = err_set(err, -EPROTO, BLAME_HOST, "CODE", "engine: POST /containers/create: an answer without Id");
    if (r == 0) {
        r = engine_put_archive(e, id, CODE_DIR, tar.data, tar.size, err);
        int removed = container_remove(e, a, id, r < 0 ? NULL : err);
        r = r < 0 ? r : removed;
    }
    json_decref(answer);
    return r;
}

int volume_make(struct engine *e, struct arena *a, const char *name, const char *image, json_t *labels,
                struct bytes tar, struct error *err)
{
    static const long made[] = { 200, 201, 0 };
    json_t *body = json_pack("{s:s, s:s, s:O}", "Name", name, "Driver", "local", "Labels", labels);
    json_t *filler = filler_body(name, image, labels);
    int r = body ? engine_call(e, "POST", "/volumes/create", body, made, NULL, err)
                 : err_set(err, -ENOMEM, BLAME_HOST, "CODE", "no memory");
    if (r == 0 && (r = fill(e, a, name, filler, tar, err)) < 0)
        (void)volume_remove(e, a, name, NULL);
    json_decref(filler);
    json_decref(body);
    return r;
}
