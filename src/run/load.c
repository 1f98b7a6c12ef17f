#include "run/load.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "base/buf.h"
#include "base/io.h"
#include "base/parse.h"
#include "plan/lang.h"

static int bad(struct error *err, const char *option, const char *value, const char *why)
{
    return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s %s: %s", option, value, why);
}

static int load_language(const struct options *o, enum language *ret, struct error *err)
{
    if (o->command.count && !o->language && !o->code) {
        *ret = LANG_COMMAND;
        return 0;
    }
    if (!o->language || !o->code)
        return err_remedy((err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s is missing",
                                   o->language ? "--code FILE" : "--language LANG"),
                           err),
                          "for example: sandbox-agent --language python --code agent.py, or "
                          "sandbox-agent -- COMMAND");
    for (size_t i = 0; i < LANG_COUNT; i++)
        if (str_eq(o->language, language_names[i])) {
            *ret = (enum language)i;
            return 0;
        }
    (void)bad(err, "--language", o->language, "not a language I know");
    return err_remedy(err, "known are python, node, bash, go, rust; any other program: -- COMMAND");
}

static int read_all(int fd, const char *name, char **ret, size_t *ret_size, struct error *err)
{
    size_t cap = 64 * 1024, size = 0;
    char *p = malloc(cap);
    for (;;) {
        if (!p)
            return err_set(err, -ENOMEM, BLAME_HOST, NULL, "--code %s: no memory", name);
        ssize_t n = read(fd, p + size, cap - size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            int e = errno;
            free(p);
            return err_set(err, -e, BLAME_CALLER, NULL, "--code %s: %s", name, strerror(e));
        }
        size += (size_t)n;
        if (size > REQUEST_MAX_CODE_BYTES) {
            free(p);
            (void)err_set(err, -EFBIG, BLAME_CALLER, NULL, "--code %s: more than %u MiB", name,
                          REQUEST_MAX_CODE_BYTES >> 20);
            return err_remedy(err, "give data to a program by --volume or --stdin, not in its code");
        }
        if (n == 0)
            break;
        if (size == cap) {
            char *q = realloc(p, cap *= 2);
            if (!q)
                free(p);
            p = q;
        }
    }
    *ret = p;
    *ret_size = size;
    return 0;
}

static int open_code(const char *path, struct error *err)
{
    struct stat st;
    /* O_NONBLOCK: a FIFO must not hang us (those of the command line are read by cli/source.c) */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) < 0) {
        (void)err_set(err, -errno, BLAME_CALLER, NULL, "--code %s: %m", path);
        return err->code;
    }
    if (S_ISREG(st.st_mode) && st.st_size <= (off_t)REQUEST_MAX_CODE_BYTES)
        return fd;
    (void)close(fd);
    if (!S_ISREG(st.st_mode))
        return bad(err, "--code", path, "not a regular file");
    (void)err_set(err, -EFBIG, BLAME_CALLER, NULL, "--code %s: %llu bytes, more than %u MiB", path,
                  (unsigned long long)st.st_size, REQUEST_MAX_CODE_BYTES >> 20);
    return err_remedy(err, "give data to a program by --volume or --stdin, not in its code");
}

static int check_code(const struct options *o, struct load *l, struct error *err)
{
    if (l->request.code_size == 0)
        return bad(err, "--code", o->code, "the file is empty");
    if (memchr(l->request.code, '\0', l->request.code_size))
        return bad(err, "--code", o->code, "binary: it contains a NUL byte, and program text has none");
    l->request.judged = l->request.code;
    l->request.judged_size = l->request.code_size;
    return 0;
}

static int load_code(const struct options *o, struct load *l, struct error *err)
{
    l->request.code_path = o->code;
    if (o->text) {
        l->request.code = o->text;
        l->request.code_size = o->text_size;
        return check_code(o, l, err);
    }
    cleanup(closep) int fd = open_code(o->code, err);
    if (fd < 0)
        return fd;
    int r = read_all(fd, o->code, &l->code, &l->request.code_size, err);
    if (r < 0)
        return r;
    l->request.code = l->code;
    return check_code(o, l, err);
}

/* --- further files -------------------------------------------------------------------------------- */

bool load_is_plain_relative(const char *p)
{
    size_t n = strlen(p);
    if (!n || n > 200 || p[0] == '/' || p[n - 1] == '/' || strstr(p, "//"))
        return false;
    for (const char *part = p; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        if (part[0] == '.' && (part[1] == '/' || !part[1] || (part[1] == '.' && (part[2] == '/' || !part[2]))))
            return false;
    for (const unsigned char *c = (const unsigned char *)p; *c; c++)
        if (*c < 0x20 || *c == 0x7F || *c == '\\')
            return false;
    return true;
}

static bool is_directory_of(const char *path, const char *file)
{
    size_t n = strlen(path);
    return strncmp(path, file, n) == 0 && file[n] == '/';
}

static int check_file(const struct run_request *r, const struct request_file *f, struct error *err)
{
    const struct lang_driver *d = lang_driver(r->language);
    if (!load_is_plain_relative(f->path))
        return bad(err, "--file", f->path, "not a plain relative path");
    if (str_eq(f->path, d->file) || (d->guard_file && str_eq(f->path, d->guard_file)))
        return bad(err, "--file", f->path, "that name belongs to the program itself");
    for (uint32_t i = 0; i < r->file_count; i++)
        if (str_eq(r->files[i].path, f->path))
            return bad(err, "--file", f->path, "given twice");
        else if (is_directory_of(r->files[i].path, f->path) || is_directory_of(f->path, r->files[i].path))
            return bad(err, "--file", f->path, "a file and a directory of the same name");
    return 0;
}

/* One text of all: what is scanned is what is delivered, and one hash is for all of it. */
static int join_files(struct load *l, struct error *err)
{
    struct run_request *r = &l->request;
    const char *comment = r->language == LANG_NODE ? "//" : "#";
    struct buf b;
    buf_init(&b, 2 * REQUEST_MAX_CODE_BYTES);
    (void)buf_add(&b, r->code, r->code_size);
    for (uint32_t i = 0; i < r->file_count; i++) {
        (void)buf_addf(&b, "\n%s --- %s ---\n", comment, r->files[i].path);
        (void)buf_add(&b, r->files[i].data, r->files[i].size);
    }
    if (b.failed || b.size > REQUEST_MAX_CODE_BYTES) {
        buf_done(&b);
        (void)err_set(err, -EFBIG, BLAME_CALLER, NULL, "all files together exceed %u MiB",
                      REQUEST_MAX_CODE_BYTES >> 20);
        return err_remedy(err, "give data to a program by --volume or --stdin, not in its code");
    }
    free(l->joined);
    l->joined = b.data;
    r->judged = b.data;
    r->judged_size = b.size;
    return 0;
}

static int load_files(const struct options *o, struct load *l, struct error *err)
{
    struct run_request *r = &l->request;
    if (!o->file_count)
        return 0;
    if (r->language == LANG_COMMAND || lang_driver(r->language)->is_compiled)
        return bad(err, "--file", o->files[0].path, "this language takes one file");
    if (o->file_count > REQUEST_MAX_FILES)
        return err_set(err, -E2BIG, BLAME_CALLER, NULL, "%u further files: accepted are at most %u", o->file_count,
                       REQUEST_MAX_FILES);
    for (uint32_t i = 0; i < o->file_count; i++) {
        int e = check_file(r, &o->files[i], err);
        if (e < 0)
            return e;
        r->files[r->file_count++] = o->files[i];
    }
    return join_files(l, err);
}

/* Standard input that was sent along. */
static int input_memfd(const struct options *o, struct load *l, struct error *err)
{
    l->stdin_fd = memfd_create("stdin", MFD_CLOEXEC);
    if (l->stdin_fd < 0 || write_all(l->stdin_fd, o->input, o->input_size) < 0 || lseek(l->stdin_fd, 0, SEEK_SET) < 0)
        return err_set(err, -errno, BLAME_HOST, "REQUEST", "memory for standard input: %m");
    return 0;
}

static int load_env(const struct options *o, struct run_request *r, struct error *err)
{
    STRLIST_FOREACH(pair, &o->env)
    {
        size_t n = strspn(pair, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        if (n == 0 || pair[n] != '=' || (pair[0] >= '0' && pair[0] <= '9'))
            return bad(err, "--env", pair, "not of the form NAME=VALUE (letters, digits and _ in NAME)");
        if (strlist_add(&r->env, pair) < 0)
            return bad(err, "--env", pair, "the environment is too large");
    }
    return 0;
}

static bool is_plain_inside(const char *p)
{
    size_t n = strlen(p);
    return p[0] == '/' && !strstr(p, "//") && !strstr(p, "/../") && !strstr(p, "/./") && n < 512 &&
           !str_eq(p + n - MIN_OF(n, 3u), "/..") && !str_eq(p + n - MIN_OF(n, 2u), "/.");
}

/* It, or below it. */
static bool is_within(const char *p, const char *dir)
{
    size_t n = strlen(dir);
    return strncmp(p, dir, n) == 0 && (p[n] == '\0' || p[n] == '/');
}

/* Inside, these are ours: a volume over one of them would change what the profile means. */
static bool is_reserved_inside(const char *p)
{
    static const char *const dirs[] = { "/etc",    "/usr",  "/bin", "/sbin", "/lib",  "/lib32", "/lib64",
                                        "/libx32", "/proc", "/sys", "/dev",  "/code", "/boot" };
    if (str_eq(p, "/") || str_eq(p, "/tmp") || str_eq(p, "/var"))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++)
        if (is_within(p, dirs[i]))
            return true;
    return false;
}

/* «A symlink» anywhere on the way is refused: who can change a link could change what we mount. */
static int judge_host_path(const char *spec, const char *host, struct request_volume *v, struct error *err)
{
    char real[4096];
    struct stat st;
    if (host[0] != '/')
        return bad(err, "--volume", spec, "HOST must be an absolute path");
    if (!realpath(host, real))
        return err_set(err, -errno, BLAME_CALLER, NULL, "--volume %s: %m", spec);
    if (!str_eq(real, host)) {
        (void)bad(err, "--volume", spec, "HOST contains a symbolic link, .. or a trailing slash");
        return err_remedy(err, "write it as %s", real);
    }
    if (lstat(host, &st) < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "--volume %s: %m", spec);
    if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
        return bad(err, "--volume", spec, "neither a directory nor a regular file");
    v->dev = st.st_dev;
    v->ino = st.st_ino;
    return 0;
}

static int load_volume(const char *spec, struct run_request *r, struct arena *a, struct error *err)
{
    if (r->volume_count >= REQUEST_MAX_VOLUMES)
        return bad(err, "--volume", spec, "more than 16 volumes");
    struct request_volume *v = &r->volumes[r->volume_count];
    char *copy = (char *)arena_copy(a, spec), *inside = strchr(copy, ':');
    if (!inside || !inside[1])
        return bad(err, "--volume", spec, "not of the form HOST:INSIDE[:ro|rw]");
    *inside++ = '\0';
    char *mode = strchr(inside, ':');
    if (mode)
        *mode++ = '\0';
    if (mode && !str_eq(mode, "ro") && !str_eq(mode, "rw"))
        return bad(err, "--volume", spec, "the mode is ro or rw");
    if (!is_plain_inside(inside))
        return bad(err, "--volume", spec, "INSIDE must be an absolute path without . and ..");
    if (is_reserved_inside(inside))
        return bad(err, "--volume", spec, "INSIDE lies over a directory that belongs to the sandbox");
    for (uint32_t i = 0; i < r->volume_count; i++) /* one would cover the other, or need a directory made in it */
        if (is_within(inside, r->volumes[i].inside) || is_within(r->volumes[i].inside, inside)) {
            (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "--volume %s: INSIDE meets that of another volume, %s",
                          spec, r->volumes[i].inside);
            return err_remedy(err, "give each volume a place of its own, neither below nor above another");
        }
    v->host = copy;
    v->inside = inside;
    v->is_writable = mode && str_eq(mode, "rw");
    int e = judge_host_path(spec, copy, v, err);
    if (e == 0)
        r->volume_count++;
    return e;
}

static int load_stdin(const struct options *o, struct load *l, struct error *err)
{
    l->stdin_fd = -1;
    if (!o->stdin_file)
        return 0;
    if (str_eq(o->stdin_file, "-")) {
        l->stdin_fd = STDIN_FILENO;
        return 0;
    }
    struct stat st;
    l->stdin_fd = open(o->stdin_file, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO without a writer must not hang us */
    if (l->stdin_fd < 0 || fstat(l->stdin_fd, &st) < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "--stdin %s: %m", o->stdin_file);
    return S_ISDIR(st.st_mode) ? bad(err, "--stdin", o->stdin_file, "a directory") : 0;
}

static int check_agent_id(const char *id, struct error *err)
{
    if (!id)
        return 0;
    if (!*id || strlen(id) > 128)
        return bad(err, "--agent-id", id, "must have 1 to 128 bytes");
    for (const unsigned char *p = (const unsigned char *)id; *p; p++)
        if (*p < 0x20 || *p == 0x7F)
            return bad(err, "--agent-id", "(…)", "contains a control character");
    return 0;
}

int load_request(const struct options *o, struct arena *a, struct load *ret, struct error *err)
{
    *ret = (struct load){ .stdin_fd = -1 };
    struct run_request *r = &ret->request;
    int e = load_language(o, &r->language, err);
    if (e == 0)
        e = check_agent_id(o->agent_id, err);
    if (e == 0)
        e = load_env(o, r, err);
    STRLIST_FOREACH(spec, &o->volumes)
    if (e == 0)
        e = load_volume(spec, r, a, err);
    if (e == 0 && r->language != LANG_COMMAND)
        e = load_code(o, ret, err);
    if (e == 0)
        e = load_files(o, ret, err);
    if (e == 0)
        e = o->input ? input_memfd(o, ret, err) : load_stdin(o, ret, err);
    r->agent_id = o->agent_id;
    r->is_learning = o->network_learn;
    r->command = o->command; /* borrows: options outlive the request */
    return e;
}

void load_done(struct load *l)
{
    strlist_done(&l->request.env);
    free(l->code);
    free(l->joined);
    if (l->stdin_fd > STDERR_FILENO)
        (void)close(l->stdin_fd);
    *l = (struct load){ .stdin_fd = -1 };
}
