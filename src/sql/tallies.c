/* tallies.c - what this process remembers of the windows (windows.c), so that not each reservation reads all of one.
 *
 * Of an agent. A window was counted once: so many runs began behind its edge, and agents.runs was so much. Later, at
 * another edge, there are at most so many less those between the two edges, and those that agents.runs has grown by:
 * each booking writes it with its run, whichever process makes it, and nothing makes it smaller. That is too much
 * only by runs of other levels, by jobs, and by what was pruned. So it proves that there is room, and never that there
 * is none: before a run is refused the window is counted. It is counted again, too, when an eighth of the room that was
 * left then has been booked since: so what a limit is said to be filled to is right but for that eighth. CPU time is
 * the same with agents.cpu_ms.
 *
 * Of all agents. No number grows with all of them, since each booking would wait for it. But runs.number does: at some
 * moment the newest is N, and when all transactions have ended that wrote then (of PostgreSQL's, those below the
 * snapshot's xmax), no run up to N can come any more. So runs up to N are remembered, and those behind it are counted,
 * which are few: exactly, but for those that were pruned. For this a transaction has to have its number before it takes
 * one for a run: it writes the agent's row first (runs.c, leases.c). SQLite has one writer, but gives a number anew
 * when its run was pruned: so N is taken from a run within the window only, which is not pruned.
 *
 * All that is forgotten when PostgreSQL crashes, since it may have forgotten bookings (sql.epoch).
 */
#include "sql/sql.h"

#define AGENTS 512u

struct tallies {
    uint64_t epoch;
    struct tally list[AGENTS]; /* at the place that its key gives; another of the same place takes it */
    struct tally_of_all of_all;
};

static struct tallies *need(struct sql *s)
{
    if (!s->tallies && !(s->tallies = calloc(1, sizeof *s->tallies)))
        return NULL;
    if (s->tallies->epoch != s->epoch)
        *s->tallies = (struct tallies){ .epoch = s->epoch };
    return s->tallies;
}

/* NULL: no memory. */
static struct tally *find(struct sql *s, uint64_t agent, uint8_t level, enum window which)
{
    struct tallies *t = need(s);
    return t ? &t->list[(agent * 16 + level * 4u + which) % AGENTS] : NULL;
}

static bool is_of(const struct tally *t, uint64_t agent, uint8_t level, enum window which)
{
    return t->agent == agent && t->level == level && t->which == which;
}

const struct tally *tally_below(struct sql *s, uint64_t agent, uint8_t level, enum window which, uint64_t limit)
{
    const struct tally *t = find(s, agent, level, which);
    return t && t->is_known && is_of(t, agent, level, which) && t->counted < limit &&
                   t->added <= (limit - t->counted) / 8
               ? t
               : NULL;
}

void tally_counted(struct sql *s, uint64_t agent, uint8_t level, enum window which, uint64_t edge_ms, uint64_t behind,
                   uint64_t total)
{
    struct tally *t = find(s, agent, level, which);
    if (t)
        *t = (struct tally){ .agent = agent,
                             .level = level,
                             .which = (uint8_t)which,
                             .is_known = true,
                             .edge_ms = edge_ms,
                             .behind = behind,
                             .total = total,
                             .counted = behind };
}

bool tally_moved(struct sql *s, uint64_t agent, uint8_t level, enum window which, uint64_t edge_ms, uint64_t between,
                 uint64_t total, uint64_t *ret_behind)
{
    struct tally *t = find(s, agent, level, which);
    if (!t || !t->is_known || !is_of(t, agent, level, which))
        return false;
    const uint64_t gone = edge_ms > t->edge_ms ? between : 0, come = edge_ms > t->edge_ms ? 0 : between;
    t->is_known = total >= t->total && gone <= t->behind + (total - t->total); /* else the database is another one */
    if (!t->is_known)
        return false;
    t->added += total - t->total;
    t->behind = t->behind + (total - t->total) + come - gone;
    t->total = total;
    t->edge_ms = edge_ms;
    *ret_behind = t->behind;
    return true;
}

const struct tally_of_all *tally_of_all(struct sql *s)
{
    static const struct tally_of_all none;
    const struct tallies *t = need(s);
    return t ? &t->of_all : &none;
}

static void look_ahead(struct tally_of_all *t, const struct number_seen *n)
{
    t->next = n->newest;
    t->next_end = n->end;
}

void tally_all_counted(struct sql *s, uint64_t edge_ms, uint64_t up_to_next, const struct number_seen *n)
{
    struct tallies *all = need(s);
    if (!all)
        return;
    struct tally_of_all *t = &all->of_all;
    if (!n->newest || n->newest < t->next)
        *t = (struct tally_of_all){ 0 };
    if (t->next && n->begin >= t->next_end) {
        t->up_to = t->next;
        t->behind = up_to_next;
        t->edge_ms = edge_ms;
        look_ahead(t, n);
    } else if (!t->next) {
        look_ahead(t, n);
    }
}

bool tally_all_moved(struct sql *s, uint64_t edge_ms, uint64_t between, uint64_t up_to_next,
                     const struct number_seen *n, uint64_t *ret_up_to)
{
    struct tallies *all = need(s);
    if (!all)
        return false;
    struct tally_of_all *t = &all->of_all;
    const uint64_t gone = edge_ms > t->edge_ms ? between : 0, come = edge_ms > t->edge_ms ? 0 : between;
    if (!t->up_to || !n->newest || n->newest < t->next || gone > t->behind) {
        *t = (struct tally_of_all){ 0 };
        return false;
    }
    t->behind = t->behind + come - gone;
    t->edge_ms = edge_ms;
    *ret_up_to = t->behind;
    if (n->begin >= t->next_end) {
        t->up_to = t->next;
        t->behind += up_to_next;
        look_ahead(t, n);
    }
    return true;
}
