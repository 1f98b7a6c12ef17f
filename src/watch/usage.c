/* usage.c - excessive_cpu_usage, excessive_memory_usage, fork_bomb_detection: limits that are met again and again, or
 * for long. */
#include "watch/detect.h"

/* An interpreter that starts uses all it may have, on a slow machine for long. Its start is over where its guard says
 * so. Where the guard was kept from it, it is over with the CPU time that a start takes at most: a program cannot hide
 * in it. */
static bool is_starting(struct cpu_use *s, const struct watch_event *e)
{
    if (e->kind == WATCH_STARTING) {
        s->is_starting = true;
        s->start_us = e->args[0];
        s->window = (struct cpu_window){ .count = 0 };
    } else if (e->kind == WATCH_BEGUN) {
        *s = (struct cpu_use){ .is_starting = false };
    } else if (s->is_starting && e->kind == WATCH_SAMPLE) {
        if (!s->has_sample)
            s->before_us = e->cpu_us;
        s->has_sample = true;
        s->is_starting = elapsed_us(e->cpu_us, s->before_us) < s->start_us;
    }
    return s->is_starting;
}

bool detect_cpu(struct cpu_use *s, const struct watch_event *e, const struct profile *p, struct evidence *ret)
{
    const uint64_t window = p->detectors.excessive_cpu_usage.window;
    if (is_starting(s, e) || e->kind != WATCH_SAMPLE)
        return false;
    int64_t share = cpu_window_add(&s->window, e, window, p->resources.cpu);
    if (share < (int64_t)p->detectors.excessive_cpu_usage.share)
        return false;
    return decided(ret, "%u%% of the allowed CPU (%u.%03u cores) was used over the %s before %s: %s of CPU time so far",
                   (unsigned)(share / 10), p->resources.cpu / 1000, p->resources.cpu % 1000,
                   shown_time(e->at_us - s->window.point[s->window.first].at_us).text, shown_time(e->at_us).text,
                   shown_time(e->cpu_us).text);
}

bool detect_memory(struct fullness *s, const struct watch_event *e, const struct profile *p, struct evidence *ret)
{
    const uint64_t limit = p->resources.memory;
    if (e->kind != WATCH_SAMPLE)
        return false;
    if (e->memory_bytes < (uint64_t)((unsigned __int128)limit * p->detectors.excessive_memory_usage.share / 1000)) {
        s->samples = 0;
        return false;
    }
    if (s->samples++ == 0)
        s->since_us = e->at_us;
    /* three: a pause between two samples is no proof of what was between them */
    if (s->samples < 3 || elapsed_us(e->at_us, s->since_us) < p->detectors.excessive_memory_usage.window * 1000)
        return false;
    return decided(ret, "memory was at %s or more of %s in all %u samples from %s to %s",
                   shown_bytes(limit * p->detectors.excessive_memory_usage.share / 1000).text, shown_bytes(limit).text,
                   s->samples, shown_time(s->since_us).text, shown_time(e->at_us).text);
}

/* How many more times the limit was met, by this event: the kernel's (resources.pids) and the launcher's
 * (execution.max_processes), as the sum so far. */
static uint64_t new_hits(struct forks *s, const struct watch_event *e)
{
    if (e->kind != WATCH_LIMIT || !e->text || !str_eq(e->text, "pids"))
        return 0;
    uint64_t before = s->has_last ? s->last : 0;
    s->has_last = true;
    s->last = MAX_OF(before, e->args[0]);
    return s->last - before;
}

/* A comet: each process forks the next one and ends, so that no limit is met and no process is old enough to be killed
 * by name. */
static bool is_too_fast(struct forks *s, const struct watch_event *e, const struct profile *p, struct evidence *ret)
{
    const uint64_t window = p->detectors.fork_bomb_detection.window,
                   most = p->detectors.fork_bomb_detection.rate * window / 1000;
    uint64_t made = e->args[0] - MIN_OF(s->made_last, e->args[0]);
    s->made_last = MAX_OF(s->made_last, e->args[0]);
    made = rate_add(&s->made, e->at_us, window, made);
    if (made < most)
        return false;
    return decided(ret, "%llu processes were started within %s, until %s", (unsigned long long)made,
                   shown_time(window * 1000).text, shown_time(e->at_us).text);
}

static uint32_t most_processes(const struct profile *p)
{
    return MIN_OF(p->execution.max_processes ? p->execution.max_processes : p->resources.pids, p->resources.pids);
}

/* A run that the limit ended. One process that is refused is a pool or a pipeline too large for its level, which gives
 * up; a bomb's processes are refused each for itself: about as many as there may be. */
#define FEWEST_HITS   8u
#define FEWEST_ASKERS 3u
#define MOST_ASKERS   8u /* more are not told apart: launch/run.h */
static bool has_ended_a_bomb(const struct forks *s, const struct watch_event *e, const struct profile *p)
{
    const uint32_t half = most_processes(p) / 2;
    if (e->kind != WATCH_END || !e->text || !str_eq(e->text, "pids_limit"))
        return false;
    if (s->askers)
        return s->askers >= MIN_OF(MAX_OF(half, FEWEST_ASKERS), MOST_ASKERS);
    const uint32_t fewest = MIN_OF(MAX_OF(half, FEWEST_HITS), p->detectors.fork_bomb_detection.hits);
    return s->in_window >= fewest || s->last >= 2 * (uint64_t)fewest; /* on a slow machine it takes its time */
}

/* Forks that fail tell a bomb from a shell script that starts 500 programs a second, and from a pool of workers that
 * lives at its limit: what a bomb cannot avoid is to ask again and again after the limit, or to be very fast below it.
 * A slow one asks as often in the end, and none of its processes has gone meanwhile.
 */
bool detect_forks(struct forks *s, const struct watch_event *e, const struct profile *p, struct evidence *ret)
{
    const uint32_t most = most_processes(p), tolerated = p->detectors.fork_bomb_detection.hits;
    if (e->kind == WATCH_SAMPLE && e->pids < most - most / 4)
        s->at_limit = 0;
    if (e->kind == WATCH_SAMPLE && e->args[0])
        return is_too_fast(s, e, p, ret);
    uint64_t hits = new_hits(s, e);
    if (hits) {
        s->at_limit += hits;
        s->askers = MAX_OF(s->askers, e->args[1]);
        s->in_window = rate_add(&s->hits, e->at_us, p->detectors.fork_bomb_detection.window, hits);
    }
    if (has_ended_a_bomb(s, e, p))
        return decided(ret,
                       "a new process or thread was refused %llu times before the run ended at %s: the limit is %u "
                       "processes, %u tasks",
                       (unsigned long long)s->last, shown_time(e->at_us).text, p->execution.max_processes,
                       p->resources.pids);
    if (!hits || (s->in_window < tolerated && s->at_limit < tolerated))
        return false;
    if (s->in_window < tolerated)
        return decided(ret,
                       "a new process or thread was refused %llu times while the limit was reached, until %s: it is %u "
                       "processes, %u tasks",
                       (unsigned long long)s->at_limit, shown_time(e->at_us).text, p->execution.max_processes,
                       p->resources.pids);
    return decided(
        ret, "a new process or thread was refused %llu times within %s, until %s: the limit is %u processes, %u tasks",
        (unsigned long long)s->in_window, shown_time(p->detectors.fork_bomb_detection.window * 1000).text,
        shown_time(e->at_us).text, p->execution.max_processes, p->resources.pids);
}
