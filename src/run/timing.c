#include "run/timing.h"

#include <stdio.h>

#include "base/json.h"

const char *const timing_names[] = { "queue", "scan", "decide", "start", "run", "settle", NULL };
_Static_assert(ARRAY_LEN(timing_names) == TIMING_PARTS + 1, "a part has no name");

static uint64_t span(uint64_t from_us, uint64_t to_us)
{
    return from_us && to_us > from_us ? to_us - from_us : 0;
}

void timing_outcome(struct timing *t, const struct outcome *o)
{
    if (!t->sent_us || (!o->started_us && o->prepared < PREPARED_PARKED)) /* that one had started before */
        return;
    t->started_us = t->sent_us + o->started_us;
    t->ended_us = t->sent_us + o->ready_us + o->duration_us; /* duration_us counts from the request, or from ready_us */
}

void timing_split(const struct timing *t, uint64_t ret_us[static TIMING_PARTS])
{
    const uint64_t before = t->decided_us ? t->decided_us : t->settled_us;
    const uint64_t waited_until = t->queued_us && !t->granted_us ? t->settled_us : t->granted_us;
    const uint64_t whole = span(t->received_us, before);
    for (int i = 0; i < TIMING_PARTS; i++)
        ret_us[i] = 0;
    ret_us[TIMING_QUEUE] = MIN_OF(span(t->queued_us, waited_until), whole);
    ret_us[TIMING_SCAN] = MIN_OF(span(t->scan_us, t->scanned_us), whole - ret_us[TIMING_QUEUE]);
    ret_us[TIMING_DECIDE] = whole - ret_us[TIMING_QUEUE] - ret_us[TIMING_SCAN];
    if (!t->decided_us)
        return;
    ret_us[TIMING_START] = span(t->decided_us, t->started_us ? t->started_us : t->settled_us);
    ret_us[TIMING_RUN] = span(t->started_us, t->ended_us);
    ret_us[TIMING_SETTLE] = span(t->ended_us, t->settled_us);
}

void timing_json(const struct timing *t, struct buf *out)
{
    uint64_t us[TIMING_PARTS];
    char key[24];
    timing_split(t, us);
    json_open(out, '{');
    for (int i = 0; i < TIMING_PARTS; i++) {
        (void)snprintf(key, sizeof key, "%s_ms", timing_names[i]);
        json_key(out, key), json_milli(out, us[i]);
    }
    json_close(out, '}');
}

void timing_header(const struct timing *t, char ret[static TIMING_HEADER_SIZE])
{
    uint64_t us[TIMING_PARTS];
    size_t at = 0;
    timing_split(t, us);
    for (int i = 0; i < TIMING_PARTS; i++) {
        int n = snprintf(ret + at, TIMING_HEADER_SIZE - at, "%s%s;dur=%llu.%03llu", i ? ", " : "", timing_names[i],
                         (unsigned long long)(us[i] / 1000), (unsigned long long)(us[i] % 1000));
        at += (size_t)n;
        assert(at < TIMING_HEADER_SIZE); /* six names of six letters, six numbers of at most 21 digits */
    }
}
