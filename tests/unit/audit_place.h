/* audit_place.h - a log and a state directory of one test, and what is done in them. For test_audit.c and
 * test_audit_files.c. */
#pragma once
#include "test.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include "audit/audit.h"
#include "audit/verify.h"

struct place {
    char top[64], log[80], state[80];
    struct config config;
    struct arena arena;
    struct error err;
    char told[2000]; /* what verify said, one a line */
};

static inline int place_remove(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)st;
    (void)type;
    (void)f;
    return remove(path);
}

static inline void place_done(struct place *p)
{
    (void)nftw(p->top, place_remove, 8, FTW_DEPTH | FTW_PHYS);
    arena_done(&p->arena);
    config_done(&p->config);
}

static inline void place_init(struct place *p)
{
    memset(p, 0, sizeof *p);
    (void)snprintf(p->top, sizeof p->top, "/tmp/test-audit-XXXXXX");
    CHECK(mkdtemp(p->top));
    (void)snprintf(p->log, sizeof p->log, "%s/log", p->top);
    (void)snprintf(p->state, sizeof p->state, "%s/state", p->top);
    config_defaults(&p->config);
    p->config.security.audit_sync = AUDIT_SYNC_OS;
    p->config.security.audit_sign_every = 10;
}

static inline const char *place_path(struct place *p, const char *name)
{
    return arena_printf(&p->arena, "%s/%s", p->log, name);
}

static inline int place_open(struct place *p, struct audit *a)
{
    const char *const dirs[] = { p->log, NULL };
    return audit_open(a, dirs, p->state, &p->config, &p->arena, &p->err);
}

/* n lines by agents agent-0 ... agent-6, a second apart. */
static inline void place_write(struct place *p, unsigned n)
{
    struct audit a;
    CHECK_EQ(place_open(p, &a), 0);
    for (unsigned i = 0; i < n; i++) {
        char agent[32], id[32];
        (void)snprintf(agent, sizeof agent, "agent-%u", i % 7);
        (void)snprintf(id, sizeof id, "exec-%u", i);
        const struct audit_event e = { .action = i % 5 ? "execution-finished" : "execution-refused",
                                       .category = "process",
                                       .type = "end",
                                       .outcome = i % 5 ? "success" : "failure",
                                       .reason = i % 5 ? "completed" : "policy_denied",
                                       .rule = i % 5 ? NULL : "scan.reverse-shell",
                                       .agent_id = agent,
                                       .execution_id = id,
                                       .level = "low",
                                       .message = "a run has ended",
                                       .now_ms = 1700000000000 + i * 1000 };
        CHECK_EQ(audit_write(&a, &e, &p->err), 0);
    }
    audit_close(&a);
}

static inline void place_hear(void *context, const struct verify_problem *v)
{
    struct place *p = context;
    size_t n = strlen(p->told);
    (void)snprintf(p->told + n, sizeof p->told - n, "%s:%llu: %llu: %s%s\n", v->file ? v->file : "",
                   (unsigned long long)v->line, (unsigned long long)v->sequence, v->is_note ? "note: " : "", v->text);
}

static inline struct verify_result place_verify(struct place *p)
{
    const struct verify_options o = { .dir = p->log, .key_dir = p->state };
    struct verify_result r;
    p->told[0] = '\0';
    CHECK_EQ(audit_verify(&o, place_hear, p, &r, &p->err), 0);
    return r;
}

static inline char *place_read(const char *path, size_t *ret_size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    CHECK(fd >= 0 && fstat(fd, &st) == 0);
    char *data = malloc((size_t)st.st_size + 1);
    CHECK(data && read(fd, data, (size_t)st.st_size) == st.st_size);
    data[st.st_size] = '\0';
    *ret_size = (size_t)st.st_size;
    (void)close(fd);
    return data;
}

/* In place: the inode stays, as with an editor that does not rename. */
static inline void place_put(const char *path, const char *data, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    (void)close(fd);
}

static inline void place_append(const char *path, const char *text)
{
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    CHECK(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
    (void)close(fd);
}

static inline const char *place_head(struct place *p)
{
    DIR *d = opendir(p->state);
    const char *found = NULL;
    CHECK(d);
    for (struct dirent *e; (e = readdir(d));)
        if (strstr(e->d_name, ".head"))
            found = arena_printf(&p->arena, "%s/%s", p->state, e->d_name);
    (void)closedir(d);
    CHECK(found);
    return found;
}
