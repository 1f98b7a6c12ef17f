#include "run/load.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "base/agent_id.h"
#include "base/buf.h"
#include "base/io.h"
#include "base/netrule.h"
#include "base/parse.h"
#include "base/path.h"
#include "plan/lang.h"
#include "plan/park.h"

static int bad(const struct options *o, struct error *err, enum request_field f, const char *value, const char *why)
{
    return field_refuse(o->words, err, -EINVAL, BLAME_CALLER, f, value, "%s", why);
}

static int too_large(const struct options *o, struct error *err)
{
    (void)field_refuse(o->words, err, -EFBIG, BLAME_CALLER, REQUEST_CODE, o->code, "more than %u MiB",
                       REQUEST_MAX_CODE_BYTES >> 20);
    return err_remedy(err, "give data to a program by %s or %s, not in its code",
                      request_word(o->words, REQUEST_VOLUMES), request_word(o->words, REQUEST_STDIN));
}

static int load_language(const struct options *o, enum language *ret, struct error *err)
{
    bool has_code = o->code || o->text;
    if (o->command.count && !o->has_language && !has_code) {
        *ret = LANG_COMMAND;
        return 0;
    }
    if (!o->has_language || !has_code) {
        (void)bad(o, err, o->has_language ? REQUEST_CODE : REQUEST_LANGUAGE, NULL, "is missing");
        return err_remedy(err, "for example: sandbox-agent --language python --code agent.py, or "
                               "sandbox-agent -- COMMAND");
    }
    *ret = o->language;
    return 0;
}

static int read_all(const struct options *o, int fd, char **ret, size_t *ret_size, struct error *err)
{
    size_t cap = 64 * 1024, size = 0;
    char *p = malloc(cap);
    for (;;) {
        if (!p)
            return field_refuse(o->words, err, -ENOMEM, BLAME_HOST, REQUEST_CODE, o->code, "no memory");
        ssize_t n = read(fd, p + size, cap - size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            int e = errno;
            free(p);
            return field_refuse(o->words, err, -e, BLAME_CALLER, REQUEST_CODE, o->code, "%s", strerror(e));
        }
        size += (size_t)n;
        if (size > REQUEST_MAX_CODE_BYTES) {
            free(p);
            return too_large(o, err);
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

static int open_code(const struct options *o, struct error *err)
{
    struct stat st;
    /* O_NONBLOCK: a FIFO must not hang us (those of the command line are read by cli/source.c) */
    int fd = open(o->code, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) < 0)
        return field_refuse(o->words, err, -errno, BLAME_CALLER, REQUEST_CODE, o->code, "%m");
    if (S_ISREG(st.st_mode) && st.st_size <= (off_t)REQUEST_MAX_CODE_BYTES)
        return fd;
    (void)close(fd);
    return S_ISREG(st.st_mode) ? too_large(o, err) : bad(o, err, REQUEST_CODE, o->code, "not a regular file");
}

static int check_code(const struct options *o, struct load *l, struct error *err)
{
    if (l->request.code_size == 0)
        return bad(o, err, REQUEST_CODE, o->code, "the file is empty");
    if (memchr(l->request.code, '\0', l->request.code_size))
        return bad(o, err, REQUEST_CODE, o->code, "binary: it contains a NUL byte, and program text has none");
    l->request.judged = o->judged ? o->judged : l->request.code;
    l->request.judged_size = o->judged ? o->judged_size : l->request.code_size;
    return 0;
}

static int load_code(const struct options *o, struct load *l, struct error *err)
{
    l->request.code_path = o->code ? o->code : "code";
    if (o->text) {
        l->request.code = o->text;
        l->request.code_size = o->text_size;
        return check_code(o, l, err);
    }
    cleanup(closep) int fd = open_code(o, err);
    if (fd < 0)
        return fd;
    int r = read_all(o, fd, &l->code, &l->request.code_size, err);
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

static int check_file(const struct options *o, const struct run_request *r, const struct request_file *f,
                      struct error *err)
{
    const struct lang_driver *d = lang_driver(r->language);
    if (!load_is_plain_relative(f->path))
        return bad(o, err, REQUEST_FILES, f->path, "not a plain relative path");
    if (str_eq(f->path, d->file) || (d->guard_file && str_eq(f->path, d->guard_file)))
        return bad(o, err, REQUEST_FILES, f->path, "that name belongs to the program itself");
    for (uint32_t i = 0; i < r->file_count; i++)
        if (str_eq(r->files[i].path, f->path))
            return bad(o, err, REQUEST_FILES, f->path, "given twice");
        else if (is_directory_of(r->files[i].path, f->path) || is_directory_of(f->path, r->files[i].path))
            return bad(o, err, REQUEST_FILES, f->path, "a file and a directory of the same name");
    return 0;
}

/* One text of all: what is scanned is what is delivered, and one hash is for all of it. */
static int join_files(const struct options *o, struct load *l, struct error *err)
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
        return too_large(o, err);
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
    if (r->language == LANG_COMMAND)
        return bad(o, err, REQUEST_FILES, o->files[0].path, "a command has none beside it: give it a volume");
    if (lang_driver(r->language)->is_compiled)
        return bad(o, err, REQUEST_FILES, o->files[0].path, "this language takes one file");
    if (o->file_count > REQUEST_MAX_FILES)
        return err_set(err, -E2BIG, BLAME_CALLER, NULL, "%u further files: accepted are at most %u", o->file_count,
                       REQUEST_MAX_FILES);
    for (uint32_t i = 0; i < o->file_count; i++) {
        int e = check_file(o, r, &o->files[i], err);
        if (e < 0)
            return e;
        r->files[r->file_count++] = o->files[i];
    }
    return join_files(o, l, err);
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
            return bad(o, err, REQUEST_ENV, pair, "not of the form NAME=VALUE (letters, digits and _ in NAME)");
        if (str_starts(pair, PARK_VARIABLE "="))
            return bad(o, err, REQUEST_ENV, pair, "this name is the sandbox's own");
        if (strlist_add(&r->env, pair) < 0)
            return bad(o, err, REQUEST_ENV, pair, "the environment is too large");
    }
    return 0;
}

static bool is_plain_inside(const char *p)
{
    size_t n = strlen(p);
    return p[0] == '/' && !strstr(p, "//") && !strstr(p, "/../") && !strstr(p, "/./") && n < 512 &&
           !str_eq(p + n - MIN_OF(n, 3u), "/..") && !str_eq(p + n - MIN_OF(n, 2u), "/.");
}

/* Inside, these are ours: a volume over one of them would change what the profile means. */
static bool is_reserved_inside(const char *p)
{
    static const char *const dirs[] = { "/etc",    "/usr",  "/bin", "/sbin", "/lib",  "/lib32", "/lib64",
                                        "/libx32", "/proc", "/sys", "/dev",  "/code", "/boot" };
    if (str_eq(p, "/") || str_eq(p, "/tmp") || str_eq(p, "/var"))
        return true;
    for (size_t i = 0; i < ARRAY_LEN(dirs); i++)
        if (path_is_within(p, dirs[i]))
            return true;
    return false;
}

static int bad_volume(const struct options *o, struct error *err, const struct request_volume *v, int code,
                      const char *why)
{
    char spec[200]; /* of longer ones the beginning says which it is */
    (void)snprintf(spec, sizeof spec, "%s:%s", v->host, v->inside);
    return field_refuse(o->words, err, code, BLAME_CALLER, REQUEST_VOLUMES, spec, "%s", why);
}

/* «A symlink» anywhere on the way is refused: who can change a link could change what we mount. */
static int judge_host_path(const struct options *o, struct request_volume *v, struct error *err)
{
    char real[4096];
    struct stat st;
    if (v->host[0] != '/')
        return bad_volume(o, err, v, -EINVAL, "HOST must be an absolute path");
    if (!realpath(v->host, real) || lstat(v->host, &st) < 0)
        return bad_volume(o, err, v, -errno, strerror(errno));
    if (!str_eq(real, v->host)) {
        (void)bad_volume(o, err, v, -EINVAL, "HOST contains a symbolic link, .. or a trailing slash");
        return err_remedy(err, "write it as %s", real);
    }
    if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
        return bad_volume(o, err, v, -EINVAL, "neither a directory nor a regular file");
    v->dev = st.st_dev;
    v->ino = st.st_ino;
    return 0;
}

static int load_volume(const struct options *o, const struct request_volume *asked, struct run_request *r,
                       struct error *err)
{
    struct request_volume v = *asked;
    if (!is_plain_inside(v.inside))
        return bad_volume(o, err, &v, -EINVAL, "INSIDE must be an absolute path without . and ..");
    if (is_reserved_inside(v.inside))
        return bad_volume(o, err, &v, -EINVAL, "INSIDE lies over a directory that belongs to the sandbox");
    for (uint32_t i = 0; i < r->volume_count; i++) /* one would cover the other, or need a directory made in it */
        if (path_meets(v.inside, r->volumes[i].inside)) {
            char why[600];
            (void)snprintf(why, sizeof why, "INSIDE meets that of another volume, %s", r->volumes[i].inside);
            (void)bad_volume(o, err, &v, -EINVAL, why);
            return err_remedy(err, "give each volume a place of its own, neither below nor above another");
        }
    int e = judge_host_path(o, &v, err);
    if (e == 0)
        r->volumes[r->volume_count++] = v;
    return e;
}

static int load_stdin(const struct options *o, struct load *l, struct error *err)
{
    l->stdin_fd = o->has_input_fd ? fcntl(o->input_fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : -1;
    if (o->has_input_fd)
        return l->stdin_fd < 0 ? err_set(err, -errno, BLAME_HOST, "REQUEST", "standard input: %m") : 0;
    if (!o->stdin_file)
        return 0;
    if (str_eq(o->stdin_file, "-")) {
        l->stdin_fd = STDIN_FILENO;
        return 0;
    }
    struct stat st;
    l->stdin_fd = open(o->stdin_file, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO without a writer must not hang us */
    if (l->stdin_fd < 0 || fstat(l->stdin_fd, &st) < 0)
        return field_refuse(o->words, err, -errno, BLAME_CALLER, REQUEST_STDIN, o->stdin_file, "%m");
    return S_ISDIR(st.st_mode) ? bad(o, err, REQUEST_STDIN, o->stdin_file, "a directory") : 0;
}

static int check_agent_id(const struct options *o, struct error *err)
{
    if (!o->agent_id || agent_id_is_accepted(o->agent_id))
        return 0;
    (void)bad(o, err, REQUEST_AGENT_ID, o->agent_id, "accepted are " AGENT_ID_ACCEPTED);
    return err_remedy(err, "%s", AGENT_ID_REMEDY);
}

static int load_workdir(const struct options *o, struct run_request *r, struct error *err)
{
    r->workdir = o->workdir;
    if (!o->workdir || is_plain_inside(o->workdir))
        return 0;
    return bad(o, err, REQUEST_WORKDIR, o->workdir, "must be an absolute path inside, without . and ..");
}

static int check_rules(const struct strlist *rules, const char *option, struct error *err)
{
    struct net_rule rule;
    const char *why = NULL;
    if (rules->count > NET_MAX_RULES)
        return err_set(err, -E2BIG, BLAME_CALLER, NULL, "%s: accepted are at most %u", option, NET_MAX_RULES);
    STRLIST_FOREACH(text, rules)
    if (net_rule_parse(text, &rule, &why) < 0)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s %s: %s", option, text, why);
    return 0;
}

static int check_network(const struct options *o, struct error *err)
{
    int e = check_rules(&o->allow, "--allow", err);
    if (e == 0)
        e = check_rules(&o->deny, "--deny", err);
    if (e == 0 && o->no_network && o->allow.count)
        e = err_set(err, -EINVAL, BLAME_CALLER, NULL, "give either --no-network or --allow %s",
                    strlist_first(&o->allow));
    if (e == 0 && o->no_network && o->network_learn)
        e = err_set(err, -EINVAL, BLAME_CALLER, NULL, "give either --no-network or --network-learn");
    return e;
}

int load_request(const struct options *o, struct load *ret, struct error *err)
{
    *ret = (struct load){ .stdin_fd = -1 };
    struct run_request *r = &ret->request;
    r->words = o->words;
    int e = load_language(o, &r->language, err);
    if (e == 0)
        e = check_agent_id(o, err);
    if (e == 0)
        e = load_env(o, r, err);
    if (e == 0)
        e = check_network(o, err);
    if (e == 0)
        e = load_workdir(o, r, err);
    for (uint32_t i = 0; i < o->volume_count && e == 0; i++)
        e = load_volume(o, &o->volumes[i], r, err);
    if (e == 0 && r->language != LANG_COMMAND)
        e = load_code(o, ret, err);
    if (e == 0)
        e = load_files(o, ret, err);
    if (e == 0)
        e = o->input ? input_memfd(o, ret, err) : load_stdin(o, ret, err);
    r->agent_id = o->agent_id;
    r->is_learning = o->network_learn;
    r->has_terminal = o->has_terminal;
    r->wants_workspace = o->output_dir || o->build;
    r->session = o->session;
    r->is_kernel = o->is_kernel;
    r->is_cell = o->is_cell;
    r->guards = &o->guards;
    r->git_config = o->git_config;
    r->missing = &o->missing;
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
