#include "daemon/verifier.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "audit/verify.h"
#include "base/clock.h"
#include "daemon/service.h"
#include "daemon/turns.h"

#define FIRST_MS 5000u  /* after the start: others want the disk then */
#define LOOK_MS  60000u /* the setting may be another one by then */
#define RETRY_MS 600000u

struct verifier {
    struct service *service;
    struct turns turns;
    bool has_last; /* with its lock, as the two below */
    uint64_t at_ms, problems;
};

/* The first one goes into the log; `audit verify` shows all. */
static void tell_problem(void *context, const struct verify_problem *p)
{
    struct error *first = context;
    if (!p->is_note && !first->code)
        (void)err_set(first, -EBADMSG, BLAME_HOST, "AUDIT", "%s%sline %llu: %s", p->file ? p->file : "",
                      p->file ? ", " : "", (unsigned long long)p->line, p->text);
}

static void keep(struct verifier *f, uint64_t problems)
{
    (void)pthread_mutex_lock(&f->turns.lock);
    f->has_last = true;
    f->at_ms = wall_clock_ms();
    f->problems = problems;
    (void)pthread_mutex_unlock(&f->turns.lock);
}

/* -> ms until the next one */
static uint64_t verify(struct verifier *f, uint64_t interval_ms, uint64_t first_line)
{
    struct service *v = f->service;
    struct verify_result r;
    struct error first = { 0 }, err = { 0 };
    const struct verify_options o = { .dir = v->trail.audit.dir,
                                      .key_dir = v->places.state_dir,
                                      .first = first_line > 1 ? first_line : 0,
                                      .is_over = &f->turns.is_ending };
    int e = audit_verify(&o, tell_problem, &first, &r, &err);
    if (e == -ECANCELED)
        return 0;
    if (e < 0) {
        service_log(v, LOG_ERROR, "the audit could not be verified: %s", err.text);
        return MIN_OF(interval_ms, (uint64_t)RETRY_MS);
    }
    keep(f, r.problems);
    if (r.problems)
        service_log(v, LOG_ERROR,
                    "the audit is not what was written: %llu problem%s, the first: %s; run "
                    "sandbox-agent audit verify",
                    (unsigned long long)r.problems, r.problems == 1 ? "" : "s", first.text);
    else
        service_log(v, LOG_INFO, "the audit was verified: %llu lines, %llu signatures", (unsigned long long)r.lines,
                    (unsigned long long)r.signatures);
    return interval_ms;
}

static void settings(struct service *v, uint64_t *ret_interval_ms, uint64_t *ret_first_line)
{
    struct policy_set *set = service_policies(v);
    *ret_interval_ms = set->level[0].config.security.audit_verify_interval;
    *ret_first_line = set->level[0].config.security.audit_first_line;
    (void)policy_set_unref(set);
}

static void *work(void *context)
{
    struct verifier *f = context;
    uint64_t due_ms = clock_ms() + FIRST_MS, interval_ms, first_line;
    (void)setpriority(PRIO_PROCESS, 0, 19); /* of this thread alone, on Linux */
    while (!f->turns.is_ending) {
        settings(f->service, &interval_ms, &first_line);
        if (interval_ms && clock_ms() >= due_ms)
            due_ms = clock_ms() + verify(f, interval_ms, first_line);
        else
            (void)turns_rest(&f->turns, MIN_OF(clock_ms() + LOOK_MS, MAX_OF(due_ms, clock_ms() + 100)));
    }
    return NULL;
}

int verifier_start(struct service *v, struct verifier **ret, struct error *err)
{
    struct verifier *f = calloc(1, sizeof *f);
    if (!f)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    f->service = v;
    int e = turns_start(&f->turns, work, f, err);
    if (e < 0)
        free(f);
    else
        *ret = f;
    return e;
}

struct verifier *verifier_stop(struct verifier *f)
{
    if (!f)
        return NULL;
    turns_stop(&f->turns);
    free(f);
    return NULL;
}

bool verifier_last(struct verifier *f, uint64_t *ret_at_ms, uint64_t *ret_problems)
{
    if (!f)
        return false;
    (void)pthread_mutex_lock(&f->turns.lock);
    bool has_last = f->has_last;
    *ret_at_ms = f->at_ms;
    *ret_problems = f->problems;
    (void)pthread_mutex_unlock(&f->turns.lock);
    return has_last;
}
