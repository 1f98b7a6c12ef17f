#include "cli/source.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include "base/buf.h"
#include "base/clock.h"
#include "base/io.h"
#include "base/path.h"
#include "plan/request.h"

#define WRITER_PATIENCE_MS 10000u /* until a FIFO has a writer: nothing waits for ever */

static bool is_standard_input(const char *path)
{
    return str_eq(path, "-") || str_eq(path, "/dev/stdin") || str_eq(path, "/dev/fd/0") ||
           str_eq(path, "/proc/self/fd/0");
}

/* 0 when there is something to read, or its end. */
static int wait_for_code(int fd, int stop, const char *name, uint64_t patience_ms, struct error *err)
{
    uint64_t until_ms = clock_ms() + patience_ms;
    for (;;) {
        struct pollfd f[] = { { .fd = fd, .events = POLLIN }, { .fd = stop, .events = POLLIN } };
        uint64_t now_ms = clock_ms();
        if (patience_ms && now_ms >= until_ms) {
            (void)err_set(err, -ETIMEDOUT, BLAME_CALLER, NULL, "--code %s: no program has written to it for %u s", name,
                          (unsigned)(patience_ms / 1000));
            return err_remedy(err, "start the writer first, or use --code - and a pipe");
        }
        int n = poll(f, ARRAY_LEN(f), patience_ms ? (int)(until_ms - now_ms) : -1);
        if (n < 0 && errno != EINTR)
            return err_set(err, -errno, BLAME_HOST, NULL, "--code %s: poll: %m", name);
        if (n > 0 && f[1].revents)
            return err_set(err, -EINTR, BLAME_CALLER, NULL, "interrupted while the code was read from %s", name);
        if (n > 0 && f[0].revents)
            return 0;
    }
}

static int too_large(const char *name, struct error *err)
{
    (void)err_set(err, -EFBIG, BLAME_CALLER, NULL, "--code %s: more than %u MiB", name, REQUEST_MAX_CODE_BYTES >> 20);
    return err_remedy(err, "give data to a program by --volume or --stdin, not in its code");
}

static int read_code(int fd, int stop, const char *name, uint64_t patience_ms, struct buf *b, struct error *err)
{
    char chunk[16 * 1024];
    for (;;) {
        int e = wait_for_code(fd, stop, name, b->size ? 0 : patience_ms, err);
        if (e < 0)
            return e;
        ssize_t n = read(fd, chunk, sizeof chunk);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0)
            return err_set(err, -errno, BLAME_CALLER, NULL, "--code %s: %m", name);
        if (n == 0)
            return 0;
        if (b->size + (size_t)n > REQUEST_MAX_CODE_BYTES)
            return too_large(name, err);
        if (buf_add(b, chunk, (size_t)n) < 0)
            return err_set(err, -ENOMEM, BLAME_HOST, NULL, "--code %s: no memory", name);
    }
}

static int take_code(struct options *o, int fd, int stop, uint64_t patience_ms, char **ret_owned, struct error *err)
{
    struct buf b;
    buf_init(&b, REQUEST_MAX_CODE_BYTES + 1);
    int e = read_code(fd, stop, o->code, patience_ms, &b, err);
    if (e == 0 && !b.data)
        e = err_set(err, -EINVAL, BLAME_CALLER, NULL, "--code %s: nothing came from it: the program is empty", o->code);
    if (e < 0) {
        buf_done(&b);
        return e;
    }
    o->text = *ret_owned = b.data;
    o->text_size = b.size;
    return 0;
}

static int take_word(struct options *o, struct error *err)
{
    if (o->code) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "-c and --code %s are both given", o->code);
        return err_remedy(err, "give one of them: -c takes the program itself, --code the name of its file");
    }
    if (!*o->code_word)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "-c: the program is empty");
    o->code = "-c"; /* its name in the log */
    o->text = o->code_word;
    o->text_size = strlen(o->code_word);
    return o->text_size > REQUEST_MAX_CODE_BYTES ? too_large("-c", err) : 0;
}

int source_code(struct options *o, int stop, char **ret_owned, struct error *err)
{
    struct stat st;
    *ret_owned = NULL;
    if (o->code_word)
        return take_word(o, err);
    if (!o->code)
        return 0;
    if (is_standard_input(o->code)) {
        if (o->stdin_file && is_standard_input(o->stdin_file))
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "--stdin %s: --code %s already reads standard input",
                           o->stdin_file, o->code);
        return take_code(o, STDIN_FILENO, stop, 0, ret_owned, err);
    }
    if (stat(o->code, &st) < 0 || !S_ISFIFO(st.st_mode))
        return 0; /* run/load.h opens it, or says why not */
    cleanup(closep) int fd = open(o->code, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "--code %s: %m", o->code);
    return take_code(o, fd, stop, WRITER_PATIENCE_MS, ret_owned, err);
}

void source_input(struct options *o)
{
    struct stat st;
    bool is_command = o->command.count && !o->has_language && !o->code && !o->code_word;
    if (is_command && !o->has_terminal && !o->stdin_file && fstat(STDIN_FILENO, &st) == 0 &&
        (S_ISFIFO(st.st_mode) || S_ISREG(st.st_mode) || S_ISSOCK(st.st_mode)))
        o->stdin_file = "-";
}

static int take_file(const char *path, struct request_file *ret, struct arena *a, struct error *err)
{
    struct stat st;
    struct buf b;
    cleanup(closep) int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &st) < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "--file %s: %m", path);
    if (!S_ISREG(st.st_mode))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "--file %s: not a regular file", path);
    buf_init(&b, REQUEST_MAX_CODE_BYTES);
    int e = read_open_file(fd, &b);
    ret->data = arena_copy_bytes(a, b.size ? b.data : "", b.size);
    ret->size = b.size;
    buf_done(&b);
    if (e == 0)
        return 0;
    (void)err_set(err, e, BLAME_CALLER, NULL, "--file %s: %s", path, strerror(-e));
    return e == -EFBIG ? err_remedy(err, "give large files to a program by --volume") : e;
}

int source_files(struct options *o, struct arena *a, struct error *err)
{
    if (!o->file_words.count)
        return 0;
    struct request_file *files = arena_zero(a, REQUEST_MAX_FILES * sizeof *files);
    if (!files)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "--file: no memory");
    o->files = files;
    STRLIST_FOREACH(word, &o->file_words)
    {
        if (o->file_count == REQUEST_MAX_FILES)
            return err_set(err, -E2BIG, BLAME_CALLER, NULL, "--file: accepted are at most %u", REQUEST_MAX_FILES);
        const char *colon = strchr(word, ':');
        const char *path = colon ? arena_copy_bytes(a, word, (size_t)(colon - word)) : word;
        files[o->file_count].path = colon ? colon + 1 : path_last(path);
        int e = take_file(path, &files[o->file_count], a, err);
        if (e < 0)
            return e;
        o->file_count++;
    }
    return 0;
}

/* Appends path's parts to b, which holds a path: . stays away, .. takes the last part away. */
static void add_parts(struct buf *b, const char *path, size_t n)
{
    for (const char *end = path + n; path < end;) {
        const char *slash = memchr(path, '/', (size_t)(end - path));
        size_t part = slash ? (size_t)(slash - path) : (size_t)(end - path);
        if (part == 2 && path[0] == '.' && path[1] == '.') {
            while (b->size && b->data[b->size - 1] != '/')
                b->size--;
            b->size -= b->size > 0;
        } else if (part && !(part == 1 && path[0] == '.')) {
            (void)buf_addc(b, '/');
            (void)buf_add(b, path, part);
        }
        path += part + 1;
    }
}

static int make_absolute(struct options *o, uint32_t i, struct error *err)
{
    char here[PATH_MAX];
    struct request_volume *v = &o->volumes[i];
    struct buf b;
    if (v->host[0] == '/' || !v->host[0]) /* run/load.h refuses an empty one */
        return 0;
    if (!getcwd(here, sizeof here))
        return err_set(err, -errno, BLAME_CALLER, NULL, "--volume %s: the current directory: %m", v->host);
    buf_init(&b, 2 * PATH_MAX + strlen(v->host) + strlen(v->inside));
    add_parts(&b, here, strlen(here));
    add_parts(&b, v->host, strlen(v->host));
    if (!b.size)
        (void)buf_addc(&b, '/');
    size_t host = b.size;
    (void)buf_add(&b, "", 1);
    (void)buf_adds(&b, v->inside);
    if (b.failed) {
        buf_done(&b);
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "--volume %s: no memory", v->host);
    }
    free(o->owned[i]);
    o->owned[i] = b.data;
    v->host = b.data;
    v->inside = b.data + host + 1;
    return 0;
}

int source_volumes(struct options *o, struct error *err)
{
    int e = 0;
    for (uint32_t i = 0; i < o->volume_count && e == 0; i++)
        e = make_absolute(o, i, err);
    return e;
}
