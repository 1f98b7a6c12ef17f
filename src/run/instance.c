#include "run/instance.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include "base/io.h"

int recipe_make(const struct plan *p, struct recipe *ret)
{
    *ret = (struct recipe){ .reports = p->job.report_fd, .workspace = p->job.workspace, .events = p->job.wants_events };
    buf_init(&ret->bytes, PLAN_MAX_MESSAGE + p->guard.size);
    pack_run(&ret->bytes, 0, &p->shape, &p->job);
    ret->guard_at = ret->bytes.size;
    (void)buf_add(&ret->bytes, p->guard.data, p->guard.size);
    return ret->bytes.failed ? -E2BIG : 0;
}

bool recipe_equal(const struct recipe *a, const struct recipe *b)
{
    return a->guard_at == b->guard_at && a->bytes.size == b->bytes.size &&
           memcmp(a->bytes.data, b->bytes.data, a->bytes.size) == 0;
}

void recipe_done(struct recipe *r)
{
    buf_done(&r->bytes);
}

/* Both ends have an owner from the first moment. */
static int open_pipe(int *ret_read, int *ret_write, int flags)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | flags) < 0)
        return -errno;
    *ret_read = ends[0];
    *ret_write = ends[1];
    return 0;
}

static int open_socket(int *ret_ours, int *ret_theirs)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    *ret_ours = pair[0];
    *ret_theirs = pair[1];
    return 0;
}

static int put_guard(const struct recipe *r, int *ret)
{
    *ret = memfd_create("guard", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (*ret < 0 || write_all(*ret, r->bytes.data + r->guard_at, r->bytes.size - r->guard_at) < 0)
        return -errno;
    return fcntl(*ret, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) < 0 ? -errno : 0;
}

static int open_streams(struct instance *i, const struct recipe *r, int fds[static RUN_FD_MAX])
{
    int e = open_pipe(&i->out[0], &fds[RUN_FD_STDOUT], 0);
    if (e == 0)
        e = open_pipe(&i->out[1], &fds[RUN_FD_STDERR], 0);
    if (e == 0)
        e = open_pipe(&fds[RUN_FD_STDIN], &i->input, 0);
    if (e == 0)
        e = put_guard(r, &fds[RUN_FD_CODE]);
    if (e == 0 && r->reports)
        e = open_pipe(&i->reports, &fds[RUN_FD_REPORT], O_NONBLOCK);
    if (e == 0 && r->workspace)
        e = open_socket(&i->workspace, &fds[RUN_FD_WORKSPACE]);
    if (e == 0 && r->events)
        e = open_socket(&i->events, &fds[RUN_FD_EVENTS]);
    return e;
}

/* The recipe's message with this tag. */
static int send_open(struct client *c, uint64_t tag, const struct recipe *r, const int fds[static RUN_FD_MAX],
                     struct error *err)
{
    struct buf message;
    const struct job streams = { .report_fd = r->reports,
                                 .workspace = r->workspace ? "" : NULL,
                                 .wants_events = r->events };
    buf_init(&message, PLAN_MAX_MESSAGE);
    pack_u64(&message, MESSAGE_RUN);
    pack_u64(&message, tag);
    (void)buf_add(&message, r->bytes.data + message.size, r->guard_at - message.size);
    int e = client_send(c, &message, &streams, fds, err);
    buf_done(&message);
    return e;
}

int instance_open(struct client *connection, uint64_t tag, const struct recipe *r, struct instance *ret,
                  struct error *err)
{
    int fds[RUN_FD_MAX];
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        fds[i] = -1;
    *ret = (struct instance)INSTANCE_NONE;
    ret->client = *connection;
    ret->tag = tag;
    *connection = (struct client){ .sock = -1 };
    int e = open_streams(ret, r, fds);
    e = e < 0 ? err_set(err, e, BLAME_HOST, "PARK", "streams of a sandbox that is opened early: %s", strerror(-e))
              : send_open(&ret->client, tag, r, fds, err);
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        closep(&fds[i]);
    if (e < 0)
        instance_close(ret);
    return e;
}

bool instance_waits(const struct instance *i)
{
    struct pollfd f[] = { { .fd = i->client.sock, .events = POLLIN },
                          { .fd = i->out[0], .events = POLLIN },
                          { .fd = i->out[1], .events = POLLIN } };
    return i->client.sock >= 0 && poll(f, ARRAY_LEN(f), 0) == 0;
}

void instance_close(struct instance *i)
{
    int *const own[] = { &i->out[0], &i->out[1], &i->input, &i->reports, &i->workspace, &i->events };
    client_stop(&i->client);
    for (size_t k = 0; k < ARRAY_LEN(own); k++)
        closep(own[k]);
}
