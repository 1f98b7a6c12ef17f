#include "launch/template.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include "base/io.h"

static bool is_wanted(const struct init_ctx *c)
{
    return c->shape->template_argv.count > 0 && !c->is_plain;
}

static bool is_equal(const struct strlist *a, const struct strlist *b)
{
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

bool template_is_old(uint32_t forks, uint64_t age_us)
{
    return forks >= TEMPLATE_MAX_FORKS || age_us >= TEMPLATE_MAX_US;
}

bool template_is_for(const struct shape *s, const struct job *j)
{
    return s->template_argv.count && is_equal(&s->template_argv, &j->argv) && is_equal(&s->template_env, &j->env);
}

/* Beside the launcher. */
static int open_library(void)
{
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 32);
    if (n <= 0)
        return -1;
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    (void)snprintf(slash ? slash + 1 : path, 32, "sandbox-fork.so");
    return open(path, O_RDONLY | O_CLOEXEC);
}

static uint64_t own_capabilities(void)
{
    struct __user_cap_header_struct h = { .version = _LINUX_CAPABILITY_VERSION_3 };
    struct __user_cap_data_struct d[2];
    return syscall(SYS_capget, &h, d) < 0 ? 0 : (uint64_t)d[1].permitted << 32 | d[0].permitted;
}

/* Inheritable now: not any more when the bounding set is empty. */
void template_prepare(struct init_ctx *c)
{
    if (!is_wanted(c))
        return;
    c->fds[RUN_FD_ARTIFACT] = open_library(); /* step DESCRIPTORS gives it its place */
    const uint64_t own = own_capabilities();
    (void)capset_masks(own, own);
}

static void give_up_rights_to_come(void)
{
    (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    (void)capset_masks(own_capabilities(), 0);
}

/* They pass through the exec; what is executed is the host's interpreter, before any job. */
static int keep_rights(void)
{
    const uint64_t own = own_capabilities();
    for (int cap = 0; cap < 64; cap++)
        if (own >> cap & 1 && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0) < 0)
            return -errno;
    return 0;
}

/* At a place that survives the exec; fd is taken, and may lie there already. */
static int leave_at(int fd, int place)
{
    if (fd == place)
        return fcntl(fd, F_SETFD, 0) < 0 ? -errno : 0;
    int r = fd < 0 || dup2(fd, place) < 0 ? -errno : 0;
    closep(&fd);
    return r;
}

/* The interpreter looks at its streams when it starts: pipes, as every job's are. */
static int open_streams(void)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    int reading = fcntl(ends[0], F_DUPFD_CLOEXEC, INIT_FD_FIRST_FREE);
    int writing = fcntl(ends[1], F_DUPFD_CLOEXEC, INIT_FD_FIRST_FREE);
    int r = leave_at(reading, 0);
    if (r == 0)
        r = leave_at(writing, 1);
    return r < 0 ? r : leave_at(dup(1), 2);
}

/* What we are, and behind it the shape. */
static int leave_state(const struct init_ctx *c)
{
    cleanup(buf_done) struct buf b;
    buf_init(&b, 2 * PLAN_MAX_MESSAGE);
    (void)buf_add(&b, c, sizeof *c);
    pack_fields(&b, shape_fields, shape_field_count, c->shape);
    cleanup(closep) int fd = memfd_create("state", MFD_CLOEXEC);
    if (b.failed || fd < 0)
        return -ENOMEM;
    int r = write_all(fd, b.data, b.size);
    return r < 0 ? r : leave_at(TAKE_FD(fd), TEMPLATE_FD_STATE);
}

static int pass_descriptors(const struct init_ctx *c)
{
    const int kept[] = { c->report_fd, c->covers_fd, TEMPLATE_FD_LIBRARY };
    for (size_t i = 0; i < ARRAY_LEN(kept); i++)
        if (kept[i] >= 0 && fcntl(kept[i], F_SETFD, 0) < 0)
            return -errno;
    return 0;
}

void template_become(struct init_ctx *c)
{
    if (!is_wanted(c))
        return;
    struct strlist env = { 0 };
    int r = c->fds[RUN_FD_ARTIFACT] < 0 ? -ENOENT : keep_rights();
    if (r == 0)
        r = open_streams();
    if (r == 0)
        r = leave_state(c);
    if (r == 0)
        r = pass_descriptors(c);
    STRLIST_FOREACH(pair, &c->shape->template_env)
    {
        if (r == 0)
            r = strlist_add(&env, pair);
    }
    if (r == 0)
        r = strlist_addf(&env, "LD_PRELOAD=/proc/self/fd/%d", TEMPLATE_FD_LIBRARY);
    if (r == 0) /* names are looked up once, and not in each fork */
        r = strlist_add(&env, "LD_BIND_NOW=1");
    char **argv = r == 0 ? strlist_argv(&c->shape->template_argv) : NULL, **envp = r == 0 ? strlist_argv(&env) : NULL;
    if (argv && envp)
        (void)execve(argv[0], argv, envp);
    /* jobs close what is left of this: step DESCRIPTORS */
    free(argv);
    free(envp);
    strlist_done(&env);
    give_up_rights_to_come();
}

static char bytes[2 * PLAN_MAX_MESSAGE];
static size_t byte_count;

void template_forget(void)
{
    explicit_bzero(bytes, byte_count);
}

int template_state(struct init_ctx *ret)
{
    static struct shape shape;
    ssize_t n = pread(TEMPLATE_FD_STATE, bytes, sizeof bytes, 0);
    if (n < (ssize_t)sizeof *ret)
        return -EBADF;
    byte_count = (size_t)n;
    memcpy(ret, bytes, sizeof *ret);
    struct unpack u = unpack_start(bytes + sizeof *ret, (size_t)n - sizeof *ret);
    unpack_fields(&u, shape_fields, shape_field_count, &shape);
    if (unpack_end(&u) < 0)
        return -EBADMSG;
    ret->shape = &shape;
    ret->job = NULL;
    for (size_t i = 0; i < RUN_FD_MAX; i++)
        ret->fds[i] = -1;
    give_up_rights_to_come();
    (void)close(TEMPLATE_FD_STATE);
    (void)close(TEMPLATE_FD_LIBRARY);
    return 0;
}
