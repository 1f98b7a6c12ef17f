/* worker.c - sandbox-scan as sandbox-agent starts it: rules first, then the locks, then the code. */
#include "scan/worker_main.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "scan/confine.h"
#include "scan/engine.h"
#include "scan/growth.h"
#include "scan/worker.h"

static int send_frame(enum frame_kind kind, const struct buf *b)
{
    struct frame_head head = { .kind = kind, .size = (uint32_t)b->size };
    struct buf out;
    if (b->failed)
        return -EMSGSIZE;
    buf_init(&out, FRAME_MAX_BYTES + sizeof head);
    (void)buf_add(&out, &head, sizeof head);
    (void)buf_add(&out, b->data, b->size);
    int e = out.failed ? -EMSGSIZE : 0;
    for (size_t at = 0; e == 0 && at < out.size;) {
        ssize_t n = write(WORKER_FD_ANSWER, out.data + at, out.size - at);
        if (n < 0)
            e = -errno; /* no process listens any more */
        else
            at += (size_t)n;
    }
    buf_done(&out);
    return e;
}

static int send_error(const struct error *err)
{
    struct buf b;
    buf_init(&b, FRAME_MAX_BYTES);
    worker_error_pack(err, &b);
    (void)send_frame(FRAME_ERROR, &b); /* the exit code says it, too */
    buf_done(&b);
    return 125;
}

static void send_report(struct scan *s, enum frame_kind kind)
{
    static struct scan_report report;
    struct buf b;
    buf_init(&b, FRAME_MAX_BYTES);
    scan_report(s, &report);
    scan_report_pack(&report, &b);
    (void)send_frame(kind, &b); /* one that does not arrive is an incomplete scan */
    buf_done(&b);
}

/* The list of patterns; its bytes live as long as the process. */
static int read_patterns(struct strlist *ret, struct error *err)
{
    static char bytes[STRLIST_MAX_BYTES + 64];
    ssize_t n = pread(WORKER_FD_PATTERNS, bytes, sizeof bytes, 0);
    struct unpack u = unpack_start(bytes, n > 0 ? (size_t)n : 0);
    *ret = unpack_list(&u);
    if (n < 0 || unpack_end(&u) < 0)
        return err_set(err, -EBADMSG, BLAME_US, "SCAN", "the list of patterns did not arrive");
    return 0;
}

static int map_code(const char **ret, size_t *ret_size, struct error *err)
{
    struct stat st;
    if (fstat(WORKER_FD_CODE, &st) < 0)
        return err_set(err, -errno, BLAME_US, "SCAN", "the code did not arrive: %m");
    *ret_size = (size_t)st.st_size;
    *ret = "";
    if (!st.st_size)
        return 0;
    /* one that could shrink would end us by SIGBUS, which is the sender's loss */
    void *p = mmap(NULL, *ret_size, PROT_READ, MAP_PRIVATE, WORKER_FD_CODE, 0);
    if (p == MAP_FAILED)
        return err_set(err, -errno, BLAME_HOST, "SCAN", "map the code: %m");
    *ret = p;
    return 0;
}

static int scan_once(struct scan *s, struct ruleset *rules, const char *code, size_t size, uint32_t timeout_ms,
                     struct growth *growth)
{
    if (scan_begin(s, rules, code, size, timeout_ms) < 0)
        return 125;
    s->growth = growth;
    if (growth)
        growth_begin(growth, code, (uint32_t)size);
    scan_text(s);
    send_report(s, FRAME_PRELIMINARY);
    scan_syntax(s);
    send_report(s, FRAME_FINAL);
    if (growth)
        growth_end(growth, s);
    return 0;
}

static bool read_all(void *to, size_t size)
{
    for (size_t at = 0; at < size;) {
        ssize_t n = read(WORKER_FD_CODE, (char *)to + at, size - at);
        if (n <= 0 && !(n < 0 && errno == EINTR))
            return false;
        at += (size_t)MAX_OF(n, 0);
    }
    return true;
}

/* Until the other end closes. Of the last scans stays what growth.h keeps, in case that the next text goes on there. */
static int stay(struct scan *s, struct ruleset *rules, uint32_t timeout_ms)
{
    static char text[WORKER_STAY_BYTES];
    static struct growth growth;
    _Static_assert(sizeof text <= sizeof growth.text, "any text may be kept");
    uint64_t size;
    while (read_all(&size, sizeof size)) {
        if (size > sizeof text || !read_all(text, (size_t)size) ||
            scan_once(s, rules, text, (size_t)size, timeout_ms, &growth))
            return 125;
        scan_done(s);
        memset(text, 0, (size_t)size);
    }
    return 0;
}

int worker_main(struct ruleset *rules, const char *rules_dir, enum language language, uint32_t timeout_ms, bool stays)
{
    static struct scan s;
    struct error err = { 0 };
    struct strlist patterns;
    const char *code = "";
    size_t size = 0;
    const uint32_t life_ms = timeout_ms + (stays ? WORKER_STAY_S * 1000 : 0);
    if (ruleset_load(rules, rules_dir, language, &err) < 0 || read_patterns(&patterns, &err) < 0 ||
        ruleset_add_patterns(rules, &patterns, &err) < 0 || (!stays && map_code(&code, &size, &err) < 0) ||
        confine(stays ? WORKER_FD_CODE : -1, WORKER_FD_ANSWER, life_ms, &err) < 0)
        return send_error(&err);
    return stays ? stay(&s, rules, timeout_ms) /* otherwise the kernel frees all of it faster than we could */
                 : scan_once(&s, rules, code, size, timeout_ms, NULL);
}
