#include "daemon/verifier.h"

#include <stdlib.h>
#include <sys/resource.h>

#include "audit/verify.h"
#include "base/clock.h"
#include "base/wait.h"
#include "daemon/service.h"

#define FIRST_MS 5000u  /* after the start: others want the disk then */
#define LOOK_MS  60000u /* the setting may be another one by then */
#define RETRY_MS 600000u

struct verifier {
    struct service *service;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    _Atomic bool is_over;
    bool has_last; /* with lock, as the two below */
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
    (void)pthread_mutex_lock(&f->lock);
    f->has_last = true;
    f->at_ms = wall_clock_ms();
    f->problems = problems;
    (void)pthread_mutex_unlock(&f->lock);
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
                                      .is_over = &f->is_over };
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

static void rest_until(struct verifier *f, uint64_t until_ms)
{
    (void)pthread_mutex_lock(&f->lock);
    if (!f->is_over)
        (void)wait_until(&f->wake, &f->lock, until_ms);
    (void)pthread_mutex_unlock(&f->lock);
}

static void *work(void *context)
{
    struct verifier *f = context;
    uint64_t due_ms = clock_ms() + FIRST_MS, interval_ms, first_line;
    (void)setpriority(PRIO_PROCESS, 0, 19); /* of this thread alone, on Linux */
    while (!f->is_over) {
        settings(f->service, &interval_ms, &first_line);
        if (interval_ms && clock_ms() >= due_ms)
            due_ms = clock_ms() + verify(f, interval_ms, first_line);
        else
            rest_until(f, MIN_OF(clock_ms() + LOOK_MS, MAX_OF(due_ms, clock_ms() + 100)));
    }
    return NULL;
}

int verifier_start(struct service *v, struct verifier **ret, struct error *err)
{
    struct verifier *f = calloc(1, sizeof *f);
    if (!f)
        return err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    f->service = v;
    (void)pthread_mutex_init(&f->lock, NULL);
    wait_init(&f->wake);
    int failed = pthread_create(&f->thread, NULL, work, f);
    if (failed) {
        free(f);
        return err_set(err, -failed, BLAME_HOST, NULL, "start a thread: %s", strerror(failed));
    }
    *ret = f;
    return 0;
}

struct verifier *verifier_stop(struct verifier *f)
{
    if (!f)
        return NULL;
    (void)pthread_mutex_lock(&f->lock);
    f->is_over = true;
    (void)pthread_cond_signal(&f->wake);
    (void)pthread_mutex_unlock(&f->lock);
    (void)pthread_join(f->thread, NULL);
    (void)pthread_cond_destroy(&f->wake);
    (void)pthread_mutex_destroy(&f->lock);
    free(f);
    return NULL;
}

bool verifier_last(struct verifier *f, uint64_t *ret_at_ms, uint64_t *ret_problems)
{
    if (!f)
        return false;
    (void)pthread_mutex_lock(&f->lock);
    bool has_last = f->has_last;
    *ret_at_ms = f->at_ms;
    *ret_problems = f->problems;
    (void)pthread_mutex_unlock(&f->lock);
    return has_last;
}
