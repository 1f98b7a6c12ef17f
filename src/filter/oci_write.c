/* A spec in the words of Docker and runc: the JSON that filter_load_oci() reads, for engines that make the filter
 * themselves.
 *
 * Their language is poorer than ours. There is no first match: libseccomp knows a set of rules for a call, each a
 * conjunction, and no process may say which of two overlapping ones wins. runc takes two conditions on one argument as
 * alternatives. All comparisons but MASKED_EQ look at 64 bits, where the kernel looks at 32 of an int.
 *
 * So the arguments' values are cut into regions that do not overlap, each with one action, and a region is for each
 * argument at most one cube: «these bits are so, the others may be anything», which is EQ or MASKED_EQ. Every
 * comparison is a union of cubes, so this loses nothing; it only takes words (an «is not» of 32 bits is 32 cubes). The
 * cutting goes from the first argument to the last, and cubes of one argument are disjoint or equal wherever those
 * before it agree: a decision tree. libseccomp makes a tree of nodes in the same order, and where the node of one
 * argument has matched, it does not come back to that argument's other nodes.
 *
 * Every call that we know is said, also what the default would do: Docker 20.10 does not know defaultErrnoRet, and
 * gives EPERM to what is not mentioned (runc turns that into ENOSYS for numbers above the last one mentioned). Names
 * that the engine's libseccomp does not know are passed over, hence refused.
 */
#include "base/json.h"
#include "filter/internal.h"

#define MAX_ATOMS   512
#define MAX_REGIONS 1024  /* three to six instructions each, and a program has 4096 */
#define MAX_CUTS    16384 /* ours need less than 800; whatever a file holds, this ends within milliseconds */
#define MAX_CHAIN   64

struct cube {
    uint64_t mask, value; /* (argument & mask) == value */
};

/* Some values of one argument, and which rules of the call are still possible there. */
struct atom {
    struct cube cube;
    uint64_t live;
    bool is_inside;
};

struct atoms {
    struct atom a[MAX_ATOMS];
    size_t n;
};

struct writer {
    const struct filter_spec *spec;
    struct buf *out;
    int nr; /* of the first of the calls that are treated alike */
    const struct filter_rule *chain[MAX_CHAIN];
    size_t chain_count, region_count, cut_count;
    struct cube path[FILTER_RULE_CONDS];
};

/* ---- Cubes ---- */

static bool cubes_meet(struct cube a, struct cube b)
{
    return ((a.value ^ b.value) & a.mask & b.mask) == 0;
}

/* Where the condition holds (or, for *ret_is_not, does not hold): disjoint cubes. */
static size_t cond_cubes(const struct filter_cond *c, struct cube out[static 64], bool *ret_is_not)
{
    uint64_t all = c->low32 ? UINT32_MAX : UINT64_MAX, below = c->value;
    size_t n = 0;
    *ret_is_not = c->op == FILTER_NE || c->op == FILTER_MASKED_NE || c->op == FILTER_GT || c->op == FILTER_GE;
    if (c->op == FILTER_EQ || c->op == FILTER_NE) {
        out[0] = (struct cube){ all, c->value };
        return 1;
    }
    if (c->op == FILTER_MASKED_EQ || c->op == FILTER_MASKED_NE) {
        out[0] = (struct cube){ c->mask, c->value };
        return (c->value & ~c->mask) == 0; /* otherwise it never holds */
    }
    if (c->op == FILTER_LE || c->op == FILTER_GT) {
        if (below == all) {
            out[0] = (struct cube){ 0 };
            return 1;
        }
        below++;
    }
    for (uint64_t bit = 1; bit; bit <<= 1) /* smaller: equal above a bit that is set there and clear here */
        if (below & bit)
            out[n++] = (struct cube){ all & ~(bit - 1), below & ~(bit - 1) & ~bit };
    return n;
}

/* ---- Rules that are still possible ---- */

static bool looks_from(const struct writer *w, const struct filter_rule *r, unsigned arg)
{
    for (size_t i = 0; i < r->cond_count; i++)
        if (w->spec->conds[r->first_cond + i].arg >= arg)
            return true;
    return false;
}

/* Without what comes behind a rule that matches in any case, and what says the same as the end does: equal
 * sets then mean equal treatment of the arguments from `arg` on. */
static uint64_t settle(const struct writer *w, uint64_t live, unsigned arg)
{
    const uint32_t otherwise = w->spec->calls[w->nr].action;
    uint64_t kept = 0, last = 0; /* last: the rule that always matches */
    uint32_t end = otherwise;
    for (size_t r = 0; r < w->chain_count && !last; r++) {
        uint64_t bit = UINT64_C(1) << r;
        if (!(live & bit))
            continue;
        if (looks_from(w, w->chain[r], arg)) {
            kept |= bit;
        } else {
            last = bit;
            end = w->chain[r]->action;
        }
    }
    while (kept && w->chain[63 - __builtin_clzll(kept)]->action == end)
        kept &= ~(UINT64_C(1) << (63 - __builtin_clzll(kept)));
    return kept | (end == otherwise ? 0 : last);
}

/* Whether an earlier rule matches there already, whatever the later arguments. */
static bool is_settled(const struct writer *w, uint64_t live, size_t before, unsigned arg)
{
    for (size_t r = 0; r < before; r++)
        if (live >> r & 1 && !looks_from(w, w->chain[r], arg + 1))
            return true;
    return false;
}

/* ---- Cutting ---- */

/* The part of the atom outside of the cube becomes further atoms. */
static int cut(struct writer *w, struct atoms *s, size_t at, struct cube by)
{
    for (uint64_t bit = UINT64_C(1) << 63; bit; bit >>= 1) {
        struct atom *a = &s->a[at];
        if (!(by.mask & ~a->cube.mask & bit))
            continue;
        if (s->n == MAX_ATOMS || w->cut_count++ == MAX_CUTS)
            return -E2BIG;
        struct atom *rest = &s->a[s->n++];
        *rest = *a;
        rest->cube.mask |= bit;
        rest->cube.value |= ~by.value & bit;
        a->cube.mask |= bit;
        a->cube.value |= by.value & bit;
    }
    s->a[at].is_inside = true;
    return 0;
}

static int cut_by_cond(struct writer *w, struct atoms *s, size_t rule, const struct filter_cond *c)
{
    struct cube cubes[64];
    bool is_not;
    size_t n = cond_cubes(c, cubes, &is_not);
    for (size_t i = 0; i < s->n; i++)
        s->a[i].is_inside = false;
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0, until = s->n; i < until; i++) {
            const struct atom *a = &s->a[i];
            if (a->is_inside || !(a->live >> rule & 1) || is_settled(w, a->live, rule, c->arg) ||
                !cubes_meet(a->cube, cubes[k]))
                continue;
            if (cut(w, s, i, cubes[k]) < 0)
                return -E2BIG;
        }
    for (size_t i = 0; i < s->n; i++)
        if (s->a[i].is_inside == is_not && !is_settled(w, s->a[i].live, rule, c->arg))
            s->a[i].live &= ~(UINT64_C(1) << rule);
    return 0;
}

/* Two of equal treatment that differ in one bit are one. */
static bool join(struct atom *a, const struct atom *b)
{
    uint64_t differs = a->cube.value ^ b->cube.value;
    if (a->live != b->live || a->cube.mask != b->cube.mask || differs & (differs - 1))
        return false;
    a->cube.mask &= ~differs;
    a->cube.value &= ~differs;
    return true;
}

static void join_atoms(struct atoms *s)
{
    for (bool is_again = true; is_again;) { /* what was joined may fit to one before */
        is_again = false;
        for (size_t i = 0; i < s->n; i++)
            for (size_t j = i + 1; j < s->n; j++)
                if (join(&s->a[i], &s->a[j])) {
                    s->a[j--] = s->a[--s->n];
                    is_again = true;
                }
    }
}

static int cut_arg(struct writer *w, unsigned arg, uint64_t live, struct atoms *s)
{
    s->a[0] = (struct atom){ .live = live };
    s->n = 1;
    for (size_t r = 0; r < w->chain_count; r++)
        for (size_t i = 0; i < w->chain[r]->cond_count; i++) {
            const struct filter_cond *c = &w->spec->conds[w->chain[r]->first_cond + i];
            if (live >> r & 1 && c->arg == arg && cut_by_cond(w, s, r, c) < 0)
                return -E2BIG;
        }
    for (size_t i = 0; i < s->n; i++)
        s->a[i].live = settle(w, s->a[i].live, arg + 1);
    join_atoms(s);
    return 0;
}

/* ---- Words ---- */

/* What follows an action in JSON: `errno_key` with its number. -EINVAL: not an engine's to do. */
static int write_action(struct buf *out, const char *key, const char *errno_key, uint32_t action)
{
    static const struct {
        uint32_t action;
        const char *name;
    } names[] = {
        { SECCOMP_RET_ALLOW, "SCMP_ACT_ALLOW" },
        { SECCOMP_RET_LOG, "SCMP_ACT_LOG" },
        { SECCOMP_RET_ERRNO, "SCMP_ACT_ERRNO" },
        { SECCOMP_RET_TRAP, "SCMP_ACT_TRAP" },
        { SECCOMP_RET_KILL_PROCESS, "SCMP_ACT_KILL_PROCESS" },
        { SECCOMP_RET_KILL_THREAD, "SCMP_ACT_KILL_PROCESS" }, /* as when reading */
    };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        if (names[i].action != FILTER_ACTION(action))
            continue;
        json_key(out, key);
        json_put_string(out, names[i].name);
        if (names[i].action == SECCOMP_RET_ERRNO) {
            json_key(out, errno_key);
            json_uint(out, action & SECCOMP_RET_DATA);
        }
        return 0;
    }
    return -EINVAL;
}

static void write_arg(struct buf *out, unsigned index, struct cube c)
{
    bool is_whole = c.mask == UINT64_MAX;
    json_open(out, '{');
    json_key(out, "index");
    json_uint(out, index);
    json_key(out, "value");
    json_uint(out, is_whole ? c.value : c.mask);
    if (!is_whole) {
        json_key(out, "valueTwo");
        json_uint(out, c.value);
    }
    json_key(out, "op");
    json_put_string(out, is_whole ? "SCMP_CMP_EQ" : "SCMP_CMP_MASKED_EQ");
    json_close(out, '}');
}

static void write_args(struct writer *w)
{
    bool is_open = false;
    for (unsigned i = 0; i < FILTER_RULE_CONDS; i++) {
        if (!w->path[i].mask)
            continue;
        if (!is_open) {
            json_key(w->out, "args");
            json_open(w->out, '[');
        }
        is_open = true;
        write_arg(w->out, i, w->path[i]);
    }
    if (is_open)
        json_close(w->out, ']');
}

/* ---- Calls that are treated alike ---- */

static bool conds_are_equal(const struct filter_cond *a, const struct filter_cond *b)
{
    bool is_masked = a->op == FILTER_MASKED_EQ || a->op == FILTER_MASKED_NE;
    return a->arg == b->arg && a->op == b->op && a->low32 == b->low32 && a->value == b->value &&
           (!is_masked || a->mask == b->mask);
}

static bool are_alike(const struct filter_spec *s, int a, int b)
{
    uint16_t ra = s->calls[a].rules, rb = s->calls[b].rules;
    for (; ra && rb; ra = s->rules[ra - 1].next, rb = s->rules[rb - 1].next) {
        const struct filter_rule *x = &s->rules[ra - 1], *y = &s->rules[rb - 1];
        if (x->action != y->action || x->cond_count != y->cond_count)
            return false;
        for (size_t i = 0; i < x->cond_count; i++)
            if (!conds_are_equal(&s->conds[x->first_cond + i], &s->conds[y->first_cond + i]))
                return false;
    }
    return ra == rb && s->calls[a].action == s->calls[b].action;
}

static bool is_first_of_its_kind(const struct filter_spec *s, int nr)
{
    for (int i = 0; i < nr; i++)
        if (syscall_name(i) && are_alike(s, i, nr))
            return false;
    return true;
}

/* ---- The whole ---- */

static int write_region(struct writer *w, uint32_t action)
{
    if (w->region_count++ == MAX_REGIONS)
        return -E2BIG;
    json_open(w->out, '{');
    json_key(w->out, "names");
    json_open(w->out, '[');
    for (int nr = w->nr; nr < FILTER_NRS; nr++)
        if (syscall_name(nr) && are_alike(w->spec, w->nr, nr))
            json_put_string(w->out, syscall_name(nr));
    json_close(w->out, ']');
    int r = write_action(w->out, "action", "errnoRet", action);
    write_args(w);
    json_close(w->out, '}');
    return r;
}

static int write_from(struct writer *w, unsigned arg, uint64_t live)
{
    struct atoms s;
    live = settle(w, live, arg);
    if (!live)
        return write_region(w, w->spec->calls[w->nr].action);
    const struct filter_rule *first = w->chain[__builtin_ctzll(live)];
    if (!looks_from(w, first, arg))
        return write_region(w, first->action);
    int r = cut_arg(w, arg, live, &s);
    for (size_t i = 0; r == 0 && i < s.n; i++) {
        w->path[arg] = s.a[i].cube;
        r = write_from(w, arg + 1, s.a[i].live);
    }
    w->path[arg] = (struct cube){ 0 };
    return r;
}

static int write_call(struct writer *w, int nr)
{
    w->nr = nr;
    w->chain_count = 0;
    for (uint16_t r = w->spec->calls[nr].rules; r; r = w->spec->rules[r - 1].next) {
        if (w->chain_count == MAX_CHAIN)
            return -E2BIG;
        w->chain[w->chain_count++] = &w->spec->rules[r - 1];
    }
    return write_from(w, 0, w->chain_count == 64 ? UINT64_MAX : (UINT64_C(1) << w->chain_count) - 1);
}

#if FILTER_IS_AARCH64
static const char *const foreign_names[] = { "SCMP_ARCH_ARM" };
#else
static const char *const foreign_names[] = { "SCMP_ARCH_X86", "SCMP_ARCH_X32" };
#endif

int filter_write_oci(const struct filter_spec *spec, struct buf *out)
{
    struct writer w = { .spec = spec, .out = out };
    assert(!filter_action_permits(spec->unknown)); /* filter_harden() */
    json_open(out, '{');
    int r = write_action(out, "defaultAction", "defaultErrnoRet", spec->unknown);
    json_key(out, "architectures");
    json_open(out, '[');
    json_put_string(out, FILTER_IS_AARCH64 ? "SCMP_ARCH_AARCH64" : "SCMP_ARCH_X86_64");
    if (filter_action_permits(spec->foreign))
        for (size_t i = 0; i < ARRAY_LEN(foreign_names); i++)
            json_put_string(out, foreign_names[i]);
    json_close(out, ']');
    json_key(out, "syscalls");
    json_open(out, '[');
    for (int nr = 0; r == 0 && nr < FILTER_NRS; nr++)
        if (syscall_name(nr) && is_first_of_its_kind(spec, nr))
            r = write_call(&w, nr);
    json_close(out, ']');
    json_close(out, '}');
    return r < 0 ? r : out->failed ? -EMSGSIZE : 0;
}
