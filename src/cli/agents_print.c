#include "cli/agents_print.h"

#include <stdio.h>
#include <strings.h>

#include "base/json.h"
#include "run/agent_view.h"

/* The environment, since musl answers UTF-8 for every locale and for none. */
static bool is_utf8(void)
{
    static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const char *v = getenv(names[i]);
        if (v && *v)
            return strcasestr(v, "utf-8") || strcasestr(v, "utf8");
    }
    return false;
}

struct look look_find(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM"); /* no-color.org */
    struct look l = { .has_blocks = is_utf8(), .bold = "", .dim = "", .off = "", .standing = { "", "", "" } };
    if (isatty(STDOUT_FILENO) && !(no && *no) && term && !str_eq(term, "dumb")) {
        l.bold = "\033[1m", l.dim = "\033[2m", l.off = "\033[0m";
        l.standing[STANDING_GOOD] = "\033[32m";
        l.standing[STANDING_QUARANTINED] = "\033[33m";
        l.standing[STANDING_BANNED] = "\033[31m";
    }
    return l;
}

/* --- words ---------------------------------------------------------------------------------------- */

static const char *say_ago(uint64_t then_ms, uint64_t now_ms, char out[static 32])
{
    static const struct {
        uint64_t seconds;
        const char *unit;
    } units[] = { { 86400, "d" }, { 3600, "h" }, { 60, "min" }, { 1, "s" } };
    uint64_t s = now_ms > then_ms ? (now_ms - then_ms) / 1000 : 0;
    if (!then_ms)
        return "never";
    for (size_t i = 0; i < ARRAY_LEN(units); i++)
        if (s >= 2 * units[i].seconds || (units[i].seconds == 1 && s)) {
            (void)snprintf(out, 32, "%llu %s ago", (unsigned long long)(s / units[i].seconds), units[i].unit);
            return out;
        }
    return "now";
}

static const char *say_score(uint32_t milli, char out[static 16])
{
    (void)snprintf(out, 16, "%u.%03u", milli / 1000, milli % 1000);
    return out;
}

/* Columns, not bytes: continuation bytes of UTF-8 take none. */
static size_t width_of(const char *s)
{
    size_t n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xC0) != 0x80;
    return n;
}

static void pad_to(struct buf *b, const char *clean, size_t width)
{
    (void)buf_adds(b, clean);
    for (size_t n = width_of(clean); n < width; n++)
        (void)buf_addc(b, ' ');
}

/* --- tables --------------------------------------------------------------------------------------- */

static void clean_id(struct buf *b, const char *id)
{
    buf_done(b);
    buf_init(b, 4 * AGENT_ID_MAX + 1);
    (void)buf_adds_clean(b, id);
}

void agents_print_list(struct buf *b, const struct look *l, const struct agent_list *list,
                       const struct trust_rules *rules, uint64_t now_ms)
{
    struct buf id = { 0 };
    size_t width = 5;
    for (uint32_t i = 0; i < list->count; i++) {
        clean_id(&id, list->agents[i].id);
        width = MAX_OF(width, width_of(id.data ? id.data : ""));
    }
    if (!list->count)
        (void)buf_adds(b, "no agent is known\n");
    else {
        (void)buf_adds(b, l->bold);
        pad_to(b, "AGENT", width);
        (void)buf_addf(b, "  TRUST  STANDING       RUNS      OK  FAILED  VIOLATIONS  REFUSED  CPU s  LAST RUN%s\n",
                       l->off);
    }
    for (uint32_t i = 0; i < list->count; i++) {
        const struct agent *a = &list->agents[i];
        char score[16], ago[32];
        clean_id(&id, a->id);
        pad_to(b, id.data ? id.data : "", width);
        (void)buf_addf(b, "  %s  %s%-11s%s %7llu %7llu %7llu %11llu %8llu %6llu  %s\n",
                       say_score(agent_trust_now(a, rules, now_ms), score),
                       l->standing[MIN_OF(a->standing, (uint8_t)STANDING_BANNED)], agent_standing_name(a), l->off,
                       (unsigned long long)a->runs, (unsigned long long)a->successes, (unsigned long long)a->failures,
                       (unsigned long long)a->violations, (unsigned long long)a->refusals,
                       (unsigned long long)(a->cpu_ms / 1000), say_ago(a->last_run_ms, now_ms, ago));
    }
    if (list->is_cut)
        (void)buf_addf(b, "... and more: sandbox-agent agents list --after ID goes on behind the last one\n");
    buf_done(&id);
}

static void row(struct buf *b, const struct look *l, const char *label)
{
    (void)buf_addf(b, "%s%-12s%s", l->dim, label, l->off);
}

static void text_row(struct buf *b, const struct look *l, const char *label, const char *text)
{
    row(b, l, label);
    (void)buf_adds_clean(b, text);
    (void)buf_addc(b, '\n');
}

static void print_standing(struct buf *b, const struct look *l, const struct agent *a)
{
    char when[32];
    row(b, l, "standing");
    (void)buf_addf(b, "%s%s%s", l->standing[MIN_OF(a->standing, (uint8_t)STANDING_BANNED)], agent_standing_name(a),
                   l->off);
    if (a->standing == STANDING_GOOD) {
        (void)buf_addc(b, '\n');
        return;
    }
    (void)buf_addf(b, " since %s by ", agent_say_time(a->standing_since_ms, when));
    (void)buf_adds_clean(b, a->standing_by);
    (void)buf_addc(b, '\n');
    text_row(b, l, "reason", a->standing_reason);
}

void agents_print_one(struct buf *b, const struct look *l, const struct agent *a, const struct trust_history *history,
                      const struct trust_rules *rules, uint64_t now_ms)
{
    char score[16], when[32];
    text_row(b, l, "agent", a->id);
    row(b, l, "trust");
    (void)buf_addf(b, "%s%s%s", l->bold, say_score(agent_trust_now(a, rules, now_ms), score), l->off);
    if (agent_trust_now(a, rules, now_ms) != a->trust)
        (void)buf_addf(b, " (%s before its silence)", say_score(a->trust, score));
    (void)buf_addc(b, '\n');
    if (history->count > 1) {
        row(b, l, "history");
        agents_draw(b, l->has_blocks, history, 60);
        (void)buf_addf(b, " since %s\n",
                       agent_say_time(history->points[history->count > 60 ? history->count - 60 : 0].at_ms, when));
    }
    print_standing(b, l, a);
    row(b, l, "runs");
    (void)buf_addf(b, "%llu: %llu good, %llu failed; %llu refused before; %llu violations; %llu.%03llu s CPU\n",
                   (unsigned long long)a->runs, (unsigned long long)a->successes, (unsigned long long)a->failures,
                   (unsigned long long)a->refusals, (unsigned long long)a->violations,
                   (unsigned long long)(a->cpu_ms / 1000), (unsigned long long)(a->cpu_ms % 1000));
    text_row(b, l, "first seen", agent_say_time(a->first_seen_ms, when));
    text_row(b, l, "last run", agent_say_time(a->last_run_ms, when));
    text_row(b, l, "public key", a->public_key ? a->public_key : "none");
}

static void part(struct buf *b, const struct look *l, int32_t milli, const char *what, uint32_t times)
{
    const uint32_t size = (uint32_t)(milli < 0 ? -milli : milli);
    (void)buf_addf(b, "  %c%u.%03u  %s", milli < 0 ? '-' : '+', size / 1000, size % 1000, what);
    if (times)
        (void)buf_addf(b, " %s(%u x)%s", l->dim, times, l->off);
    (void)buf_addc(b, '\n');
}

static void print_sum(struct buf *b, const struct look *l, const struct agent *a, const struct agent_why *w,
                      const struct trust_rules *rules, uint64_t now_ms)
{
    static const char *const words[TRUST_SOURCES] = {
        [TRUST_FROM_WORK] = "successful runs above the start",
        [TRUST_FROM_RECOVERY] = "successful runs back up to the start",
        [TRUST_FROM_TIME] = "time, back up to the start",
        [TRUST_FROM_REPAID] = "errors given back by successes",
        [TRUST_FROM_ERRORS] = "errors of its programs",
        [TRUST_FROM_FAILURES] = "failures in the sandbox",
        [TRUST_FROM_ATTEMPTS] = "attempts that a layer stopped",
        [TRUST_FROM_VIOLATIONS] = "violations",
        [TRUST_FROM_DRIFT] = "drift in silence",
        [TRUST_FROM_ADMIN] = "administrators, and bounds that were moved",
    };
    char score[16];
    const int32_t rest = agent_why_rest(a, w, rules), now = (int32_t)agent_trust_now(a, rules, now_ms);
    (void)buf_addf(b, "\nwhy\n   %s  start\n", say_score(a->start ? a->start : rules->initial, score));
    for (uint32_t i = 0; i < w->sum_count; i++)
        part(b, l, (int32_t)w->sums[i].plus - (int32_t)w->sums[i].minus, words[w->sums[i].source], w->sums[i].times);
    if (rest)
        part(b, l, rest, "before this was kept", 0);
    if (now != (int32_t)a->trust)
        part(b, l, now - (int32_t)a->trust, "since its last run", 0);
    (void)buf_addf(b, "  =%s  trust\n", say_score((uint32_t)now, score));
}

#define HABITS_SHOWN 20u

void agents_print_why(struct buf *b, const struct look *l, const struct agent *a, const struct why_view *view,
                      const struct trust_rules *rules, uint64_t now_ms)
{
    const struct agent_why *w = view->why;
    const struct config *c = view->config;
    const uint64_t age = a->first_work_ms && now_ms > a->first_work_ms ? now_ms - a->first_work_ms : 0,
                   weight = agent_why_weight(a, w, c, now_ms);
    char when[32], debt[16];
    print_sum(b, l, a, w, rules, now_ms);
    if (a->debt)
        (void)buf_addf(b, "        %s of it is owed to errors, and comes back with successes\n",
                       say_score(a->debt, debt));
    (void)buf_addf(
        b, "for low     %s%u of %u shapes of programs, %u of %u hours with work, %llu of %llu h since the first\n",
        a->is_vouched ? "an administrator's word is enough; " : "", a->shapes, c->agixt.trust.low_shapes, a->hours,
        c->agixt.trust.low_hours, (unsigned long long)(age / 3600000),
        (unsigned long long)(c->agixt.trust.low_age / 3600000));
    (void)buf_addf(b, "remembered  %llu.%03llu violations; quarantine at %u\n", (unsigned long long)(weight / 1000),
                   (unsigned long long)(weight % 1000), c->security.responses.quarantine_on_violations);
    for (uint32_t i = 0; i < w->offence_count; i++) {
        (void)buf_addf(b, "            %s  ", agent_say_time(w->offences[i].at_ms, when));
        (void)buf_adds_clean(b, w->offences[i].type);
        (void)buf_adds(b, ": ");
        (void)buf_adds_clean(b, w->offences[i].detail);
        (void)buf_addc(b, '\n');
    }
    (void)buf_addf(b, "baseline    learned from %llu good runs%s\n", (unsigned long long)w->learned,
                   !c->security.baseline.runs               ? "; switched off"
                   : w->learned < c->security.baseline.runs ? ", which is too few to call anything new"
                                                            : "");
    for (uint32_t i = 0; i < MIN_OF(w->habit_count, HABITS_SHOWN); i++) {
        (void)buf_addf(b, "            %6llu x  ", (unsigned long long)w->habits[i].times);
        (void)buf_adds_clean(b, w->habits[i].what);
        (void)buf_addc(b, '\n');
    }
    if (w->habit_count > HABITS_SHOWN)
        (void)buf_addf(b, "            and %u more (--json)\n", w->habit_count - HABITS_SHOWN);
    if (*a->key_id)
        (void)buf_addf(b, "family      key %s: %llu other agents, %llu of them kept out\n", a->key_id,
                       (unsigned long long)w->relatives, (unsigned long long)w->bad_relatives);
}

/* Between the lowest and the highest score of those shown, which are named beside it: a course of small steps is one,
 * too. */
void agents_draw(struct buf *b, bool has_blocks, const struct trust_history *history, uint32_t columns)
{
    static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    static const char *const plain[] = { "_", ".", "-", "=", "+", "*", "%", "#" };
    uint32_t first = history->count > columns ? history->count - columns : 0, low = UINT32_MAX, high = 0;
    char from[16], to[16];
    for (uint32_t i = first; i < history->count; i++) {
        low = MIN_OF(low, history->points[i].trust);
        high = MAX_OF(high, history->points[i].trust);
    }
    for (uint32_t i = first; i < history->count; i++) {
        uint32_t height = high > low ? (history->points[i].trust - low) * 7 / (high - low) : 3;
        (void)buf_adds(b, has_blocks ? blocks[height] : plain[height]);
    }
    (void)buf_addf(b, "  between %s and %s", say_score(low, from), say_score(high, to));
}

/* --- JSON ----------------------------------------------------------------------------------------- */

void agents_json_one(struct buf *b, const struct agent *a, const struct trust_history *history,
                     const struct why_view *view, const struct trust_rules *rules, uint64_t now_ms)
{
    agent_json(b, a, history, view, rules, now_ms);
    (void)buf_addc(b, '\n');
}

void agents_json_list(struct buf *b, const struct agent_list *list, const struct trust_rules *rules, uint64_t now_ms)
{
    json_open(b, '{');
    json_key(b, "agents");
    json_open(b, '[');
    for (uint32_t i = 0; i < list->count; i++)
        agent_json(b, &list->agents[i], NULL, NULL, rules, now_ms);
    json_close(b, ']');
    json_key(b, "is_cut"), json_bool(b, list->is_cut);
    json_close(b, '}');
    (void)buf_addc(b, '\n');
}
