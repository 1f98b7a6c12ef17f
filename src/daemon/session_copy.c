/* session_copy.c - a file or a directory into a session and out of it. What comes out was made by the code: it is
 * unpacked beneath its directory by the kernel's resolution (files/tar.h), without links, owners or setuid bits. */
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "daemon/session_command.h"
#include "files/tar.h"

#define WORKSPACE     "/workspace/"
#define ARCHIVE_BYTES (64 * GIB) /* of contents; the session's own limit comes before */

struct copy {
    const struct session_command *command;
    const char *local, *inside; /* inside: below /workspace; "": that itself */
    char id[100];
    int fd; /* of the local file, or directory */
    struct tar_out *out;
    struct tar_in *in;
    struct wfile_put put;
    int failed; /* negative errno: here, and not at the service */
};

/* --- where from and to ---------------------------------------------------------------------------- */

/* «ID:PATH»; a local file whose name has a colon is written ./a:b. */
static const char *colon_of(const char *word)
{
    const size_t n = strcspn(word, ":/");
    return n && word[n] == ':' ? word + n : NULL;
}

static int set_inside(struct copy *c, const char *word, const char *colon, struct error *err)
{
    const char *path = colon + 1;
    if ((size_t)(colon - word) >= sizeof c->id)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%.100s: the session's id is too long", word);
    (void)snprintf(c->id, sizeof c->id, "%.*s", (int)(colon - word), word);
    if (str_eq(path, "/workspace"))
        path = "";
    if (str_starts(path, WORKSPACE))
        path += strlen(WORKSPACE);
    c->inside = path;
    return path[0] == '/' ? err_set(err, -EINVAL, BLAME_CALLER, NULL,
                                    "%s: PATH is below /workspace: only that can be reached from outside", word)
                          : 0;
}

/* «/sessions/ID/files/PATH»; the directory itself has no slash at its end. */
static void write_path(const struct copy *c, const char *kind, const char *add, struct buf *to)
{
    session_command_path(to, c->id);
    (void)buf_adds(to, kind);
    if (c->inside[0] || add[0])
        (void)buf_addc(to, '/');
    service_client_quote(to, c->inside, "/");
    service_client_quote(to, add, "/");
    while (to->size && to->data[to->size - 1] == '/')
        to->data[--to->size] = '\0';
}

static int ask(struct copy *c, struct service_request r, struct buf *out, struct error *err)
{
    r.max_bytes = SESSION_ANSWER_MAX;
    r.context = c;
    return service_client_expect(&c->command->service, &r, out, err);
}

/* What failed here is the reason for what then failed there. */
static int told(const struct copy *c, int e, const char *what, struct error *err)
{
    return c->failed ? err_set(err, c->failed, BLAME_CALLER, NULL, "%s%s%.200s: %s", c->local, what[0] ? ", " : "",
                               what, tar_words(c->failed))
                     : e;
}

/* --- in ------------------------------------------------------------------------------------------- */

static ssize_t give_file(void *context, char *to, size_t max)
{
    struct copy *c = context;
    const ssize_t n = read(c->fd, to, max);
    c->failed = n < 0 ? -errno : 0;
    return n;
}

static ssize_t give_archive(void *context, char *to, size_t max)
{
    struct copy *c = context;
    const ssize_t n = tar_out_read(c->out, to, max);
    c->failed = n < 0 ? (int)n : 0;
    return n;
}

static int send_file(struct copy *c, mode_t mode, struct error *err)
{
    const size_t n = strlen(c->inside);
    const bool is_directory = !n || c->inside[n - 1] == '/';
    struct buf path, answer = { 0 };
    buf_init(&path, 64 * KIB);
    write_path(c, "/files", is_directory ? path_last(c->local) : "", &path);
    (void)buf_addf(&path, "?mode=%04o", (unsigned)(mode & 0777));
    int e = ask(c, (struct service_request){ "PUT", path.data, .give = give_file }, &answer, err);
    buf_done(&answer);
    buf_done(&path);
    return told(c, e, "", err);
}

static int send_directory(struct copy *c, struct error *err)
{
    struct buf path, answer = { 0 };
    int e = tar_out_begin(c->fd, ".", ARCHIVE_BYTES, &c->out);
    if (e < 0)
        return err_set(err, e, BLAME_CALLER, NULL, "%s: %s", c->local, tar_words(e));
    buf_init(&path, 64 * KIB);
    write_path(c, "/archive", "", &path);
    e = ask(c, (struct service_request){ "PUT", path.data, .give = give_archive }, &answer, err);
    e = told(c, e, tar_out_failed(c->out), err);
    const struct tar_out_counts counts = tar_out_counts(c->out);
    if (e == 0 && counts.left_out)
        (void)fprintf(stderr, "sandbox-agent: session cp: %u fifos, sockets and devices were left out\n",
                      counts.left_out);
    c->out = tar_out_free(c->out);
    buf_done(&answer);
    buf_done(&path);
    return e;
}

static int copy_in(struct copy *c, struct error *err)
{
    struct stat st;
    c->fd = open(c->local, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a fifo would keep us waiting */
    if (c->fd < 0 || fstat(c->fd, &st) < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "%s: %m", c->local);
    if (S_ISDIR(st.st_mode))
        return send_directory(c, err);
    if (S_ISREG(st.st_mode))
        return send_file(c, st.st_mode, err);
    return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: is neither a file nor a directory", c->local);
}

/* --- out ------------------------------------------------------------------------------------------ */

static bool take_file(void *context, const char *data, size_t size)
{
    struct copy *c = context;
    c->failed = wfile_put_write(&c->put, data, size);
    return c->failed == 0;
}

static bool take_archive(void *context, const char *data, size_t size)
{
    struct copy *c = context;
    c->failed = tar_in_feed(c->in, data, size);
    return c->failed == 0;
}

static int open_directory(struct copy *c, const char *path, struct error *err)
{
    c->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return c->fd < 0 ? err_set(err, -errno, BLAME_CALLER, NULL, "%s: %m", path) : 0;
}

static int fetch_directory(struct copy *c, struct error *err)
{
    static const struct tar_in_limits limits = { .max_bytes = ARCHIVE_BYTES };
    struct buf path, answer = { 0 };
    if (mkdir(c->local, 0777) < 0 && errno != EEXIST)
        return err_set(err, -errno, BLAME_CALLER, NULL, "%s: %m", c->local);
    int e = open_directory(c, c->local, err);
    if (e < 0)
        return e;
    e = tar_in_begin(c->fd, ".", &limits, &c->in);
    if (e < 0)
        return err_set(err, e, BLAME_CALLER, NULL, "%s: %s", c->local, tar_words(e));
    buf_init(&path, 64 * KIB);
    write_path(c, "/archive", "", &path);
    e = ask(c, (struct service_request){ "GET", path.data, .take = take_archive }, &answer, err);
    if (e == 0)
        c->failed = tar_in_end(c->in);
    e = told(c, e, tar_in_failed(c->in), err);
    c->in = tar_in_free(c->in);
    buf_done(&answer);
    buf_done(&path);
    return e;
}

/* Opens the directory above, into fd; *ret_name: what the file is called there. */
static int open_above(struct copy *c, const char **ret_name, struct error *err)
{
    char above[PATH_MAX];
    struct stat st;
    const bool is_directory = stat(c->local, &st) == 0 && S_ISDIR(st.st_mode);
    const char *name = is_directory ? path_last(c->inside) : path_last(c->local);
    const size_t n = is_directory ? strlen(c->local) : (size_t)(name - c->local);
    if (n >= sizeof above)
        return err_set(err, -ENAMETOOLONG, BLAME_CALLER, NULL, "%.200s: the path is too long", c->local);
    (void)snprintf(above, sizeof above, "%.*s", (int)n, c->local);
    *ret_name = name;
    int e = open_directory(c, n ? above : ".", err);
    if (e == 0 && fstatat(c->fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && !S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode))
        e = err_set(err, -EEXIST, BLAME_CALLER, NULL, "%s: there is something else than a file already", c->local);
    return e;
}

static int fetch_file(struct copy *c, uint32_t mode, struct error *err)
{
    const char *name = NULL;
    struct buf path, answer = { 0 };
    int e = open_above(c, &name, err);
    if (e < 0)
        return e;
    e = wfile_put_begin(c->fd, name, mode, UINT64_MAX, &c->put);
    if (e < 0)
        return err_set(err, e, BLAME_CALLER, NULL, "%s: %s", c->local, tar_words(e));
    buf_init(&path, 64 * KIB);
    write_path(c, "/files", "", &path);
    e = ask(c, (struct service_request){ "GET", path.data, .take = take_file }, &answer, err);
    if (e == 0)
        c->failed = wfile_put_end(&c->put, INT64_MIN);
    wfile_put_abort(&c->put);
    buf_done(&answer);
    buf_done(&path);
    return told(c, e, "", err);
}

/* "": the workspace itself, which is a directory and cannot be asked for by a name. */
static int look(struct copy *c, bool *ret_is_directory, uint32_t *ret_mode, struct error *err)
{
    struct buf path, answer = { 0 };
    unsigned mode = 0644;
    *ret_is_directory = true;
    *ret_mode = 0644;
    if (!c->inside[0])
        return 0;
    buf_init(&path, 64 * KIB);
    write_path(c, "/files", "", &path);
    (void)buf_adds(&path, "?stat");
    int e = ask(c, (struct service_request){ "GET", path.data, .timeout_ms = SESSION_PATIENCE_MS }, &answer, err);
    json_t *root = e == 0 && answer.size ? json_loadb(answer.data, answer.size, 0, NULL) : NULL;
    const char *type = json_string_value(json_object_get(root, "type"));
    const char *octal = json_string_value(json_object_get(root, "mode"));
    *ret_is_directory = type && str_eq(type, "directory");
    for (mode = 0; octal && *octal >= '0' && *octal <= '7'; octal++)
        mode = (mode << 3 | (unsigned)(*octal - '0')) & 0777;
    if (type && str_eq(type, "file"))
        *ret_mode = mode;
    json_decref(root);
    buf_done(&answer);
    buf_done(&path);
    return e;
}

static int copy_out(struct copy *c, struct error *err)
{
    bool is_directory;
    uint32_t mode;
    const mode_t mask = umask(0);
    (void)umask(mask);
    int e = look(c, &is_directory, &mode, err);
    if (e < 0)
        return e;
    return is_directory ? fetch_directory(c, err) : fetch_file(c, mode & ~(uint32_t)mask, err);
}

int session_command_copy(struct session_command *s, struct error *err)
{
    struct copy c = { .command = s, .fd = -EBADF, .put = WFILE_PUT_NONE };
    const char *from = strlist_first(&s->places), *to = from ? strlist_next(&s->places, from) : NULL;
    if (!from || !to)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "from where and to where? One of them is ID:PATH");
    const char *from_colon = colon_of(from), *to_colon = colon_of(to);
    if (!from_colon == !to_colon) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "%.100s to %.100s: one of them, and not both, is ID:PATH", from,
                      to);
        return err_remedy(err, "a local file with a colon in its name is written ./NAME");
    }
    c.local = from_colon ? to : from;
    int e = from_colon ? set_inside(&c, from, from_colon, err) : set_inside(&c, to, to_colon, err);
    if (e == 0)
        e = from_colon ? copy_out(&c, err) : copy_in(&c, err);
    closep(&c.fd);
    return e;
}
