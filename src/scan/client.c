#include "scan/client.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include "scan/cache.h"
#include "scan/stamp.h"
#include "scan/worker.h"
#include "base/clock.h"

/* ---- starting ---- */

/* A sealed memfd, at a number that the worker's own do not collide with. */
static int seal_bytes(const char *name, const void *data, size_t size)
{
    cleanup(closep) int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    const char *p = data;
    if (fd < 0)
        return -errno;
    for (ssize_t n; size; p += n, size -= (size_t)n)
        if ((n = write(fd, p, size)) <= 0)
            return n < 0 ? -errno : -EIO;
    if (fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) < 0)
        return -errno;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, 16);
    return high < 0 ? -errno : high;
}

static int seal_patterns(const struct strlist *patterns)
{
    static const struct strlist none;
    struct buf b;
    buf_init(&b, STRLIST_MAX_BYTES + 64);
    pack_list(&b, patterns ? patterns : &none);
    int fd = b.failed ? -EMSGSIZE : seal_bytes("patterns", b.data, b.size);
    buf_done(&b);
    return fd;
}

struct launch {
    int code, patterns, answer;
    const char *program;
    char *const *argv;
};

/* 0 or errno; the pid in *ret. The child shares our memory until it is another program. */
static int spawn(const struct launch *l, int *ret)
{
    char *const envp[] = { NULL };
    volatile int failed = 0;
    pid_t pid = vfork();
    if (pid == 0) {
        if (dup2(l->code, WORKER_FD_CODE) == WORKER_FD_CODE &&
            dup2(l->patterns, WORKER_FD_PATTERNS) == WORKER_FD_PATTERNS &&
            dup2(l->answer, WORKER_FD_ANSWER) == WORKER_FD_ANSWER)
            (void)execve(l->program, l->argv, envp);
        failed = errno;
        _exit(125);
    }
    if (pid < 0)
        return errno;
    if (failed) {
        (void)waitpid(pid, NULL, 0);
        return failed;
    }
    *ret = pid;
    return 0;
}

static int start_worker(const struct scan_request *r, uint32_t timeout_ms, struct scan_job *j, struct error *err)
{
    int pipes[2];
    char number[16];
    cleanup(closep) int code = seal_bytes("code", r->code, r->code_size), patterns = seal_patterns(r->patterns);
    if (code < 0 || patterns < 0 || pipe2(pipes, O_CLOEXEC) < 0)
        return err_set(err,
                       code < 0       ? code
                       : patterns < 0 ? patterns
                                      : -errno,
                       BLAME_HOST, "SCAN", "descriptors for the scanner");
    int answer = fcntl(pipes[1], F_DUPFD_CLOEXEC, 16), e = errno;
    (void)close(pipes[1]);
    /* the worker's share: what remains is for its start, and for us to hear of it */
    (void)snprintf(number, sizeof number, "%u", timeout_ms - timeout_ms / 4);
    char *const argv[] = { (char *)"sandbox-scan",
                           (char *)"--worker",
                           (char *)"--rules",
                           (char *)r->rules_dir,
                           (char *)"--language",
                           (char *)language_names[r->language],
                           (char *)"--timeout",
                           number,
                           NULL };
    if (answer >= 0) {
        e = spawn(&(struct launch){ code, patterns, answer, r->program, argv }, &j->pid);
        (void)close(answer);
    }
    if (answer < 0 || e) {
        (void)close(pipes[0]);
        (void)err_set(err, -e, BLAME_HOST, "SCAN", "start %s: %s", r->program, strerror(e));
        return err_remedy(err, "the installation is incomplete: run `make install` again");
    }
    j->fd = pipes[0];
    return 0;
}

static bool find_kept(struct scan_job *j)
{
    struct scan_report r;
    if (scan_cache_find(j->cache_dir, &j->head, &j->kept, &j->kept_size) != 1)
        return false;
    if (scan_report_unpack(j->kept, j->kept_size, &r) == 0 && str_eq(r.rules_id, j->rules_id))
        return true;
    free(TAKE_PTR(j->kept));
    return false;
}

int scan_start(const struct scan_request *r, struct scan_job *ret, struct error *err)
{
    uint32_t timeout_ms = r->timeout_ms ? r->timeout_ms : SCAN_TIMEOUT_MS;
    *ret = (struct scan_job){ .fd = -1, .pid = -1, .deadline_ms = clock_ms() + timeout_ms, .cache_dir = r->cache_dir };
    if (r->language >= LANG_COUNT)
        return err_set(err, -EINVAL, BLAME_US, "SCAN", "a command has no language to be scanned in");
    stamp_rules(r->rules_dir, ret->rules_id);
    if (r->cache_dir && r->code_size <= SCAN_CACHE_MAX_BYTES) {
        const struct scan_cache_key key = { .rules_id = ret->rules_id,
                                            .program = r->program,
                                            .language = r->language,
                                            .patterns = r->patterns,
                                            .code = r->code,
                                            .code_size = r->code_size };
        scan_cache_head(&key, &ret->head);
        if (find_kept(ret)) /* fast path */
            return 0;
    }
    int e = start_worker(r, timeout_ms, ret, err);
    if (e < 0)
        buf_done(&ret->head);
    return e;
}

/* ---- finishing ---- */

/* Everything until the end of file, or why not: NULL when the worker has closed its end in time. */
static const char *read_answer(struct scan_job *j, struct buf *out)
{
    static const char late[] = "the scan was not through in time";
    for (;;) {
        char chunk[16 * 1024];
        uint64_t now = clock_ms();
        struct pollfd p = { .fd = j->fd, .events = POLLIN };
        int left = now < j->deadline_ms ? (int)MIN_OF(j->deadline_ms - now, (uint64_t)60000) : 0;
        int ready = poll(&p, 1, left);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return late;
        ssize_t n = read(j->fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return n == 0 ? NULL : "the scanner's answer could not be read";
        if (buf_add(out, chunk, (size_t)n) < 0)
            return "the scanner's answer is too long";
    }
}

static void end_worker(struct scan_job *j)
{
    closep(&j->fd);
    if (j->pid > 0) {
        (void)kill(j->pid, SIGKILL); /* it may be gone already */
        while (waitpid(j->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    j->pid = -1;
}

struct answer {
    struct bytes report;
    bool is_final, has_error;
    struct error error;
};

/* Frames are hostile bytes: what is not of the form ends the answer. */
static void split_answer(const struct buf *b, struct answer *ret)
{
    struct frame_head head;
    for (size_t at = 0; b->size - at >= sizeof head; at += head.size) {
        memcpy(&head, b->data + at, sizeof head);
        at += sizeof head;
        if (head.size > b->size - at || head.kind >= FRAME_KINDS)
            return;
        if (head.kind == FRAME_ERROR) {
            ret->has_error = worker_error_unpack(b->data + at, head.size, &ret->error) == 0;
            return;
        }
        ret->report = (struct bytes){ b->data + at, head.size };
        ret->is_final = head.kind == FRAME_FINAL;
    }
}

/* Whether a bound is hit depends on the machine's mood. */
static bool was_cut(const struct scan_report *r)
{
    for (uint32_t i = 0; i < r->finding_count; i++)
        if (str_eq(r->findings[i].rule, "scan-incomplete"))
            return true;
    return false;
}

static void keep(struct scan_job *j, const struct scan_report *r, struct bytes packed)
{
    if (j->cache_dir && j->head.size && !was_cut(r) && str_eq(r->rules_id, j->rules_id))
        scan_cache_keep(j->cache_dir, &j->head, packed.data, packed.size);
}

static int from_worker(struct scan_job *j, struct scan_report *ret, void **ret_blob, struct error *err)
{
    struct buf b;
    struct answer a = { 0 };
    buf_init(&b, 2 * (size_t)FRAME_MAX_BYTES);
    const char *why = read_answer(j, &b);
    end_worker(j);
    split_answer(&b, &a);
    if (a.has_error) {
        buf_done(&b);
        if (err)
            *err = a.error;
        return a.error.code;
    }
    bool is_report = a.report.data && scan_report_unpack(a.report.data, a.report.size, ret) == 0;
    if (!is_report)
        *ret = (struct scan_report){ .rules_id = "", .shape = "" };
    if (why)
        scan_report_cut(ret, why);
    else if (!is_report || !a.is_final)
        scan_report_cut(ret, "the scanner died over this program");
    else
        keep(j, ret, a.report);
    *ret_blob = TAKE_PTR(b.data);
    return 0;
}

int scan_finish(struct scan_job *j, struct scan_report *ret, void **ret_blob, struct error *err)
{
    int e = 0;
    *ret_blob = NULL;
    j->was_cached = j->kept != NULL;
    if (j->kept) {
        e = scan_report_unpack(j->kept, j->kept_size, ret);
        assert(e == 0); /* scan_start() has done it before */
        *ret_blob = TAKE_PTR(j->kept);
    } else
        e = from_worker(j, ret, ret_blob, err);
    scan_abandon(j);
    return e;
}

void scan_abandon(struct scan_job *j)
{
    end_worker(j);
    free(TAKE_PTR(j->kept));
    buf_done(&j->head);
}
