/* family.c - the processes of a run by name, with their parents: what an operator looks for in other logs.
 *
 * A name is that of the program that was executed last; who only forked has its parent's. Pids inside are those of the
 * sandbox's own namespace, pids outside those of the machine that ran it.
 */
#include "watch/detect.h"

#include <stdio.h>

static struct relative *find(struct family *f, uint32_t pid)
{
    for (uint32_t i = 0; pid && i < MIN_OF(f->count, FAMILY_MAX); i++)
        if (f->of[i].pid == pid)
            return &f->of[i];
    return NULL;
}

static const struct relative *known(const struct family *f, uint32_t pid)
{
    for (uint32_t i = 0; pid && i < MIN_OF(f->count, FAMILY_MAX); i++)
        if (f->of[i].pid == pid)
            return &f->of[i];
    return NULL;
}

static void name_after(struct relative *r, const char *path)
{
    const char *slash = strrchr(path, '/');
    (void)snprintf(r->name, sizeof r->name, "%.23s", shown(slash && slash[1] ? slash + 1 : path).text);
}

void family_note(struct family *f, const struct watch_event *e)
{
    if (e->kind == WATCH_CONNECT && e->connection && e->pid)
        f->callers[f->caller_count++ % FAMILY_MAX] = (struct caller_of){ e->connection, e->pid };
    if (!e->pid || !e->inside)
        return;
    struct relative *r = find(f, e->pid);
    if (!r) {
        const struct relative *parent = known(f, e->parent);
        struct relative new = { .pid = e->pid };
        if (parent)
            memcpy(new.name, parent->name, sizeof new.name);
        r = &f->of[f->count++ % FAMILY_MAX];
        *r = new;
    }
    r->inside = e->inside;
    r->parent = e->parent;
    if (e->kind == WATCH_EXEC && !e->error && e->text)
        name_after(r, e->text);
}

static uint32_t process_of(const struct family *f, const struct watch_event *e)
{
    for (uint32_t i = 0; !e->pid && e->connection && i < MIN_OF(f->caller_count, FAMILY_MAX); i++)
        if (f->callers[i].connection == e->connection)
            return f->callers[i].pid;
    return e->pid;
}

#define GENERATIONS 5u
void family_tell(const struct family *f, const struct watch_event *e, struct evidence *ret)
{
    const struct relative *r = known(f, process_of(f, e));
    for (unsigned i = 0; r && i < GENERATIONS; i++, r = known(f, r->parent)) {
        const size_t n = strlen(ret->text);
        (void)snprintf(ret->text + n, sizeof ret->text - n,
                       i ? ", started by %s (%u, %u)" : "; by %s (%u inside, %u outside)", r->name[0] ? r->name : "?",
                       r->inside, r->pid);
    }
}
