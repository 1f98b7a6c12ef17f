#include "scan/client.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/uio.h>
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

/* code: -1: it stays, and is asked over the same socket. -> our end in *ret_fd, *ret_pid. */
static int start_worker(const struct scan_request *r, uint32_t timeout_ms, int code, int *ret_fd, int *ret_pid,
                        struct error *err)
{
    int ends[2];
    char number[16];
    cleanup(closep) int patterns = seal_patterns(r->patterns);
    if (patterns < 0 || (code < 0 ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) : pipe2(ends, O_CLOEXEC)))
        return err_set(err, patterns < 0 ? patterns : -errno, BLAME_HOST, "SCAN", "descriptors for the scanner");
    int answer = fcntl(ends[1], F_DUPFD_CLOEXEC, 16), e = errno;
    (void)close(ends[1]);
    /* its share of the CPU time: what remains is for its start */
    (void)snprintf(number, sizeof number, "%u", timeout_ms - timeout_ms / 4);
    char *const argv[] = { (char *)"sandbox-scan",
                           (char *)"--worker",
                           (char *)"--rules",
                           (char *)r->rules_dir,
                           (char *)"--language",
                           (char *)language_names[r->language],
                           (char *)"--timeout",
                           number,
                           code < 0 ? (char *)"--stay" : NULL,
                           NULL };
    if (answer >= 0) {
        e = spawn(&(struct launch){ code < 0 ? answer : code, patterns, answer, r->program, argv }, ret_pid);
        (void)close(answer);
    }
    if (answer < 0 || e) {
        (void)close(ends[0]);
        (void)err_set(err, -e, BLAME_HOST, "SCAN", "start %s: %s", r->program, strerror(e));
        return err_remedy(err, "the installation is incomplete: run `make install` again");
    }
    *ret_fd = ends[0];
    return 0;
}

static int start_own(const struct scan_request *r, uint32_t timeout_ms, struct scan_job *j, struct error *err)
{
    cleanup(closep) int code = seal_bytes("code", r->code, r->code_size);
    if (code < 0)
        return err_set(err, code, BLAME_HOST, "SCAN", "descriptors for the scanner");
    return start_worker(r, timeout_ms, code, &j->fd, &j->pid, err);
}

/* ---- one that stays ---- */

void scan_resident_end(struct scan_resident *r)
{
    closep(&r->fd);
    if (r->pid > 0) {
        (void)kill(r->pid, SIGKILL); /* it may be gone already */
        while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    buf_done(&r->made_of);
    *r = SCAN_RESIDENT_NONE;
}

/* All of it at once, or not at all: a socket that has no room is one whose scanner does not read. */
static bool ask(const struct scan_resident *r, const struct scan_request *q)
{
    const uint64_t size = q->code_size;
    const struct iovec parts[] = { { (void *)&size, sizeof size }, { (void *)q->code, q->code_size } };
    const struct msghdr m = { .msg_iov = (struct iovec *)parts, .msg_iovlen = ARRAY_LEN(parts) };
    return sendmsg(r->fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)(sizeof size + q->code_size);
}

static bool is_made_of(const struct scan_resident *r, const struct buf *made_of, uint32_t timeout_ms)
{
    return r->pid > 0 && r->timeout_ms == timeout_ms && r->spent_us < WORKER_STAY_S * UINT64_C(1000000) &&
           r->made_of.size == made_of->size && memcmp(r->made_of.data, made_of->data, made_of->size) == 0;
}

/* The one that is there, or, where that has other rules or does not take it, a new one. */
static int ask_resident(const struct scan_request *q, uint32_t timeout_ms, struct scan_job *j, struct error *err)
{
    struct scan_resident *r = q->resident;
    struct buf made_of;
    const struct scan_cache_key key = {
        .rules_id = j->rules_id, .program = q->program, .language = q->language, .patterns = q->patterns, .code = ""
    };
    scan_cache_head(&key, &made_of);
    j->resident = r;
    j->begun_us = clock_us();
    if (is_made_of(r, &made_of, timeout_ms) && ask(r, q)) {
        buf_done(&made_of);
        j->fd = r->fd;
        return 0;
    }
    scan_resident_end(r);
    int e = start_worker(q, timeout_ms, -1, &r->fd, &r->pid, err);
    r->made_of = made_of;
    r->timeout_ms = timeout_ms;
    if (e == 0 && !ask(r, q))
        e = err_set(err, -EPIPE, BLAME_HOST, "SCAN", "%s does not take a program", q->program);
    if (e < 0)
        scan_resident_end(r);
    j->fd = r->fd;
    return e;
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
    *ret = (struct scan_job){ .fd = -1,
                              .pid = -1,
                              .deadline_ms = clock_ms() + (uint64_t)timeout_ms * SCAN_PATIENCE,
                              .cache_dir = r->cache_dir,
                              .rules_only = r->rules_only };
    if (r->language >= LANG_COUNT)
        return err_set(err, -EINVAL, BLAME_US, "SCAN", "a command has no language to be scanned in");
    stamp_rules(r->rules_dir, ret->rules_id);
    if (r->resident && r->code_size <= WORKER_STAY_BYTES)
        return ask_resident(r, timeout_ms, ret, err);
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
    int e = start_own(r, timeout_ms, ret, err);
    if (e < 0)
        buf_done(&ret->head);
    return e;
}

/* ---- finishing ---- */

/* Whether the frame that ends an answer is there. */
static bool is_whole(const struct buf *b)
{
    struct frame_head head;
    for (size_t at = 0; b->size - at >= sizeof head; at += head.size) {
        memcpy(&head, b->data + at, sizeof head);
        at += sizeof head;
        if (head.size > b->size - at)
            return false;
        if (head.kind == FRAME_FINAL || head.kind == FRAME_ERROR)
            return true;
    }
    return false;
}

/* All of an answer, or what came of it until the end of file; or why not: NULL when that was in time. */
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
        if (is_whole(out))
            return NULL;
    }
}

static void end_worker(struct scan_job *j)
{
    if (j->resident) {
        scan_resident_end(TAKE_PTR(j->resident)); /* what it still says would be taken for another scan's */
        j->fd = -1;
    }
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

/* It goes on to the next scan. */
static void leave_resident(struct scan_job *j)
{
    if (!j->resident)
        return;
    j->resident->spent_us += clock_us() - j->begun_us;
    j->resident = NULL;
    j->fd = -1;
}

static int from_worker(struct scan_job *j, struct scan_report *ret, void **ret_blob, struct error *err)
{
    struct buf b;
    struct answer a = { 0 };
    buf_init(&b, 2 * (size_t)FRAME_MAX_BYTES);
    const char *why = read_answer(j, &b);
    split_answer(&b, &a);
    if (!why && a.is_final)
        leave_resident(j);
    end_worker(j);
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
    if (e == 0 && j->rules_only)
        scan_report_by_rules_only(ret);
    scan_abandon(j);
    return e;
}

void scan_abandon(struct scan_job *j)
{
    end_worker(j);
    free(TAKE_PTR(j->kept));
    buf_done(&j->head);
}
