#include "plan/park.h"

#include <stdio.h>
#include "plan/lang.h"

/* Names that the loader, the C library or the interpreter read at their start: told later they would come too late. */
static bool is_read_at_start(const char *pair)
{
    static const char *const names[] = { "LD_",   "LC_",     "LANG",  "TZ=",      "MALLOC_", "GLIBC_", "PYTHON",
                                         "HOME=", "TMPDIR=", "PATH=", "OPENSSL_", "SSL_",    "NODE_" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_starts(pair, names[i]))
            return true;
    return false;
}

static bool is_parkable(const struct run_request *r, const struct plan *p)
{
    if (p->is_container || r->language != LANG_PYTHON || r->file_count || r->volume_count || r->packages.name ||
        p->job.artifact)
        return false;
    STRLIST_FOREACH(pair, &r->env)
    {
        if (is_read_at_start(pair))
            return false;
    }
    return true;
}

/* The guard comes with the instance, everything else of /code and the decoys with the work. */
static bool make_late(struct job *j)
{
    uint32_t late = 0;
    for (uint32_t i = 1; i < j->file_count; i++) {
        j->files[i].is_late = true;
        j->files[i].offset = j->files[i].size = 0;
        late++;
    }
    return late <= WORK_MAX_LATE;
}

/* At low nothing is refused, and the cold run has no guard. */
static bool add_guard(const struct compiled *c, struct plan *p, struct arena *a)
{
    struct job *j = &p->job;
    const struct lang_driver *d = lang_driver(LANG_PYTHON);
    if (p->guard.size)
        return true;
    if (compiled_park(c, LANG_PYTHON, &p->guard) < 0 || !p->guard.size || j->file_count >= PLAN_MAX_FILES)
        return false;
    for (uint32_t i = j->file_count++; i > 0; i--)
        j->files[i] = j->files[i - 1];
    j->files[0] = (struct plan_file){ .path = arena_printf(a, "/code/%s", d->guard_file),
                                      .size = p->guard.size,
                                      .mode = 0444 };
    return true;
}

static int set_arguments(const struct compiled *c, struct job *j, struct arena *a)
{
    struct strlist flags = { 0 };
    const struct lang_driver *d = lang_driver(LANG_PYTHON);
    strlist_done(&j->argv);
    int r = d->arguments(&c->profile, false, j->files[0].path, NULL, &flags, a);
    if (r == 0)
        r = strlist_add(&j->argv, j->program);
    STRLIST_FOREACH(word, &flags)
    {
        if (r == 0)
            r = strlist_add(&j->argv, word);
    }
    strlist_done(&flags);
    if (r == 0)
        r = strlist_add(&j->argv, "--parked");
    if (r == 0)
        r = strlist_addf(&j->argv, "%u", PARK_FD);
    return r < 0 ? r : strlist_add(&j->argv, j->files[1].path);
}

int plan_park(const struct compiled *c, const struct run_request *r, const struct plan *p, struct arena *a,
              struct plan *ret, struct error *err)
{
    struct run_request bare = *r;
    *ret = (struct plan){ 0 };
    if (!is_parkable(r, p))
        return 0;
    bare.env = bare.command = (struct strlist){ 0 };
    bare.code_size = 0;
    int e = plan_build(c, &bare, "parked", 0, a, ret, err);
    struct job *j = &ret->job;
    if (e == 0 && (!add_guard(c, ret, a) || !make_late(j) || set_arguments(c, j, a) < 0 || a->failed))
        e = -ENOTSUP;
    if (e < 0) {
        plan_done(ret);
        *ret = (struct plan){ 0 };
        return 0;
    }
    j->timeout_ms = 1; /* the work says how long */
    j->grace_ms = 0;
    j->may_reuse = true;
    j->park_fd = PARK_FD;
    ret->shape.tenant = p->shape.tenant;
    return 1;
}

static size_t size_of(const struct strlist *words)
{
    size_t size = 0;
    STRLIST_FOREACH(word, words)
    {
        size += strlen(word) + 1;
    }
    return size;
}

static void add_words(struct buf *note, const struct strlist *words)
{
    STRLIST_FOREACH(word, words)
    {
        (void)buf_add(note, word, strlen(word) + 1);
    }
}

int plan_work(const struct run_request *r, const struct plan *p, struct buf *note, struct work *ret)
{
    const struct job *j = &p->job;
    const uint32_t first = p->guard.size ? 1 : 0;
    *ret = (struct work){ .timeout_ms = j->timeout_ms, .grace_ms = j->grace_ms, .file_count = j->file_count - first };
    memcpy(ret->files, j->files + first, ret->file_count * sizeof ret->files[0]);
    char count[16];
    (void)snprintf(count, sizeof count, "%u", r->command.count);
    (void)buf_addf(note, "%zu\n", strlen(count) + 1 + size_of(&r->command) + size_of(&r->env));
    (void)buf_add(note, count, strlen(count) + 1);
    add_words(note, &r->command);
    add_words(note, &r->env);
    ret->note = (struct bytes){ note->data, (uint32_t)note->size };
    return note->failed ? -E2BIG : 0;
}
