#include "daemon/audit_files_api.h"

#include <stdlib.h>
#include <unistd.h>

#include "audit/files.h"
#include "daemon/audit_api.h"
#include "daemon/query.h"
#include "daemon/routes.h"

static int list(struct call *c, struct audit_files *ret, struct error *err)
{
    const char *dir = audit_dir(c->service, c->arena);
    return dir ? files_list(dir, false, ret, err) : err_set(err, -EIO, BLAME_HOST, "AUDIT", "the audit is not open");
}

void audit_files(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct audit_files files = { 0 };
    char name[FILES_NAME_SIZE];
    if (list(c, &files, &err) < 0) {
        call_refuse(c, a, &err);
        return;
    }
    struct buf *b = answer_json(a, 200, 16 * MIB);
    json_open(b, '{');
    json_key(b, "files");
    json_open(b, '[');
    for (size_t i = 0; i < files.count; i++) {
        json_open(b, '{');
        json_key(b, "name"), json_put_string(b, files_name(&files.list[i], name));
        json_key(b, "size"), json_uint(b, files.list[i].size);
        json_close(b, '}');
    }
    json_close(b, ']');
    json_key(b, "first_line");
    struct policy_set *now = service_policies(
        c->service); /* as the service's own verifier: it may have been reloaded */
    json_uint(b, now->level[0].config.security.audit_first_line);
    (void)policy_set_unref(now);
    json_close(b, '}');
    (void)buf_addc(b, '\n');
    files_done(&files);
}

struct download {
    int fd;
    uint64_t offset, until;
};

static ssize_t next_part(void *context, char *to, size_t max)
{
    struct download *d = context;
    ssize_t n;
    if (d->offset >= d->until)
        return -1;
    do
        n = pread(d->fd, to, MIN_OF(max, d->until - d->offset), (off_t)d->offset);
    while (n < 0 && errno == EINTR);
    d->offset += n > 0 ? (uint64_t)n : 0;
    return n > 0 ? n : n == 0 ? -1 : -2;
}

static void done(void *context)
{
    struct download *d = context;
    (void)close(d->fd);
    free(d);
}

static int open_file(const struct audit_files *files, const char *wanted, struct download *ret, struct error *err)
{
    char name[FILES_NAME_SIZE];
    for (size_t i = 0; i < files->count; i++)
        if (str_eq(files_name(&files->list[i], name), wanted)) {
            ret->until = files->list[i].size;
            ret->fd = files_open(files, i);
            return ret->fd < 0 ? err_set(err, ret->fd, BLAME_HOST, "AUDIT", "%s: %s", name, strerror(-ret->fd)) : 0;
        }
    return err_set(err, -ENOENT, BLAME_CALLER, NULL, "the audit has no such file");
}

static int open_download(struct call *c, struct download *ret, struct error *err)
{
    static const char *const names[] = { "offset", NULL };
    struct audit_files files = { 0 };
    int e = query_known(c->request, names, err);
    if (e == 0)
        e = query_uint(c->request, "offset", 0, INT64_MAX, &ret->offset, err);
    if (e == 0)
        e = list(c, &files, err);
    if (e < 0)
        return e;
    e = open_file(&files, c->parts[0], ret, err);
    files_done(&files);
    return e;
}

void audit_file(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    struct download *d = calloc(1, sizeof *d);
    int e = d ? open_download(c, d, &err) : err_set(&err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    if (e < 0) {
        free(d);
        call_refuse(c, a, &err);
        return;
    }
    a->status = 200;
    a->content_type = "application/octet-stream"; /* what agents wrote is in it: no browser shall interpret it */
    http_answer_header(a, "Content-Disposition", "attachment");
    a->stream = next_part;
    a->done = done;
    a->context = d;
}
