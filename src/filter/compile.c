/* How this works
 *
 * 1. Each call's rules become a block of code that loads arguments; gen.c shares equal
 *    blocks, so a call's class is simply where its block (or its RET) stands.
 * 2. Neighbouring numbers of one class are one range (about 100 for a built-in filter).
 * 3. Lone numbers between two ranges of one class are taken out: one JEQ instead of the
 *    two JGE a range of their own would cost. plan_cells() finds the cheapest choice.
 * 4. What remains is searched by halving. Weights are numbers: when a filter is loaded
 *    the kernel (since 5.11) runs it once for each number to fill its bitmap of calls
 *    that need no filter, which costs more than the loading itself when paths are long.
 *    After that only calls with conditions, and refusals, ever run the program.
 * For that bitmap (seccomp_is_const_allow() in kernel/seccomp.c) the way to a RET may use
 * nothing but LD nr/arch, AND and jumps with constants: no table look-up by shifting.
 */
#include "filter/gen.h"
#include "filter/internal.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "arg_offset() knows one order");

#define X32_BIT 0x40000000u /* __X32_SYSCALL_BIT of asm/unistd.h, which musl lacks */
/* JEQs in a row before the next halving. Between 3 and 6 loading takes the same time, the
 * filter 5 instructions more or less. */
#define MAX_CHAIN  5u
#define MAX_PLAIN  64u
#define MAX_RANGES (FILTER_NRS + 2)

struct range {
    uint32_t first; /* up to the next range's first */
    at to;
};

/* A run of ranges that is one class except for lone numbers. */
struct cell {
    uint16_t first, last; /* ranges */
    at to;
};

struct compiler {
    struct gen gen;
    const struct filter_spec *spec;
    uint32_t plain_action[MAX_PLAIN];
    at plain_at[MAX_PLAIN];
    size_t plain_count, range_count, cell_count;
    struct range ranges[MAX_RANGES + 1]; /* one more: the end */
    struct cell cells[MAX_RANGES];
};

/* ---- 1. Conditions ---- */

/* Code that expects word `word` of the arguments in A; ANY: does not look at A. */
struct entry {
    at at;
    int word; /* 2 * arg, + 1 for the high half */
};
#define ANY (-1)

static uint32_t word_offset(int word)
{
    return (uint32_t)offsetof(struct seccomp_data, args) + 4u * (uint32_t)word;
}

static at enter(struct gen *g, struct entry e, int have)
{
    return e.word == ANY || e.word == have ? e.at : gen_load(g, word_offset(e.word), e.at);
}

static struct entry compare(struct gen *g, uint16_t op, int word, uint32_t k, struct entry yes, struct entry no)
{
    /* `yes` is usually the code written last: entered first, its load needs no JA. */
    at y = enter(g, yes, word), n = enter(g, no, word);
    return (struct entry){ gen_jump(g, op, k, y, n), word };
}

static struct entry compare_masked(struct gen *g, int word, uint32_t mask, uint32_t value, struct entry yes,
                                   struct entry no)
{
    if (value & ~mask)
        return no;
    if (!mask)
        return yes;
    if (!value)
        return compare(g, BPF_JSET, word, mask, no, yes);
    if (mask == UINT32_MAX)
        return compare(g, BPF_JEQ, word, value, yes, no);
    at y = enter(g, yes, ANY), n = enter(g, no, ANY); /* AND spoils A */
    return (struct entry){ gen_and(g, mask, gen_jump(g, BPF_JEQ, value, y, n)), word };
}

/* A comparison of the whole argument; op is BPF_JEQ, BPF_JGT or BPF_JGE. */
static struct entry compare64(struct gen *g, uint16_t op, const struct filter_cond *c, struct entry yes,
                              struct entry no)
{
    uint32_t low = (uint32_t)c->value, high = (uint32_t)(c->value >> 32);
    struct entry e = compare(g, op, 2 * c->arg, low, yes, no);
    if (c->low32)
        return e;
    e = compare(g, BPF_JEQ, 2 * c->arg + 1, high, e, no);
    return op == BPF_JEQ ? e : compare(g, BPF_JGT, 2 * c->arg + 1, high, yes, e);
}

static struct entry condition(struct gen *g, const struct filter_cond *c, struct entry yes, struct entry no)
{
    struct entry e;
    switch ((enum filter_op)c->op) {
    case FILTER_EQ:
        return compare64(g, BPF_JEQ, c, yes, no);
    case FILTER_NE:
        return compare64(g, BPF_JEQ, c, no, yes);
    case FILTER_GT:
        return compare64(g, BPF_JGT, c, yes, no);
    case FILTER_LE:
        return compare64(g, BPF_JGT, c, no, yes);
    case FILTER_GE:
        return compare64(g, BPF_JGE, c, yes, no);
    case FILTER_LT:
        return compare64(g, BPF_JGE, c, no, yes);
    case FILTER_MASKED_EQ:
    case FILTER_MASKED_NE:
        if (c->op == FILTER_MASKED_NE) {
            e = yes;
            yes = no;
            no = e;
        }
        e = compare_masked(g, 2 * c->arg, (uint32_t)c->mask, (uint32_t)c->value, yes, no);
        if (c->low32)
            return e;
        return compare_masked(g, 2 * c->arg + 1, (uint32_t)(c->mask >> 32), (uint32_t)(c->value >> 32), e, no);
    case FILTER_OPS:
        break;
    }
    assert(false); /* filter_rule_*() admitted no other */
    return no;
}

/* Where RET action stands; remembered apart from gen, whose memory is short. */
static at plain(struct compiler *c, uint32_t action)
{
    for (size_t i = 0; i < c->plain_count; i++)
        if (c->plain_action[i] == action)
            return c->plain_at[i];
    at here = gen_ret(&c->gen, action);
    if (c->plain_count < MAX_PLAIN) {
        c->plain_action[c->plain_count] = action;
        c->plain_at[c->plain_count++] = here;
    }
    return here;
}

/* The conditions of a rule from number `from` on, then its action. */
static struct entry rule_code(struct compiler *c, const struct filter_rule *rule, size_t from, struct entry otherwise)
{
    const struct filter_cond *conds = c->spec->conds + rule->first_cond;
    /* A condition on another word falls to `otherwise` with its own word in A. Load now,
     * directly before that code, instead of jumping back to it later. */
    for (size_t i = from; i < rule->cond_count; i++)
        if (otherwise.word != ANY && (2 * conds[i].arg != otherwise.word || !conds[i].low32))
            (void)enter(&c->gen, otherwise, ANY);
    struct entry e = { plain(c, rule->action), ANY };
    for (size_t i = rule->cond_count; i-- > from;)
        e = condition(&c->gen, &conds[i], e, otherwise);
    return e;
}

static bool begin_alike(const struct filter_spec *s, const struct filter_rule *a, const struct filter_rule *b)
{
    const struct filter_cond *x = s->conds + a->first_cond, *y = s->conds + b->first_cond;
    return a->cond_count && b->cond_count && x->arg == y->arg && x->op == y->op && x->low32 == y->low32 &&
           x->mask == y->mask && x->value == y->value;
}

/* Rules that begin with the same condition (socket options: the level) ask it once for all of them. */
static struct entry rules_code(struct compiler *c, const uint16_t *rules, size_t count, struct entry otherwise)
{
    const struct filter_rule *first = &c->spec->rules[rules[0]];
    if (count == 1)
        return rule_code(c, first, 0, otherwise);
    struct entry e = otherwise;
    while (count-- > 0)
        e = rule_code(c, &c->spec->rules[rules[count]], 1, e);
    return condition(&c->gen, c->spec->conds + first->first_cond, e, otherwise);
}

/* The code of one call, entered with the number in A. */
static at call_code(struct compiler *c, const struct filter_entry *call)
{
    uint16_t chain[FILTER_MAX_RULES];
    size_t count = 0;
    for (uint16_t r = call->rules; r; r = c->spec->rules[r - 1].next)
        chain[count++] = (uint16_t)(r - 1);
    struct entry e = { plain(c, call->action), ANY };
    for (size_t first; count > 0; count = first) {
        first = count - 1;
        while (first > 0 && begin_alike(c->spec, &c->spec->rules[chain[first - 1]], &c->spec->rules[chain[count - 1]]))
            first--;
        e = rules_code(c, chain + first, count - first, e);
    }
    return enter(&c->gen, e, ANY);
}

/* ---- 2. Ranges ---- */

static void add_range(struct compiler *c, uint32_t first, at to)
{
    if (c->range_count && c->ranges[c->range_count - 1].to == to)
        return;
    c->ranges[c->range_count++] = (struct range){ first, to };
}

static void make_ranges(struct compiler *c)
{
    for (uint32_t nr = 0; nr < FILTER_NRS && !c->gen.full; nr++)
        add_range(c, nr, call_code(c, &c->spec->calls[nr]));
    add_range(c, FILTER_NRS, plain(c, c->spec->unknown));
    if (!FILTER_IS_AARCH64)
        add_range(c, X32_BIT, plain(c, c->spec->foreign));
    c->ranges[c->range_count].first = UINT32_MAX;
}

/* ---- 3. Cells ---- */

static uint32_t width(const struct compiler *c, size_t range)
{
    return c->ranges[range + 1].first - c->ranges[range].first;
}

/* cheapest[j]: instructions for ranges 0..j-1, when a cell may begin at any range and end
 * at any later one of its class with only narrow strangers between. */
static void plan_cells(struct compiler *c)
{
    uint32_t cheapest[MAX_RANGES + 1] = { 0 };
    uint16_t begins[MAX_RANGES + 1];
    for (size_t j = 1; j <= c->range_count; j++) {
        cheapest[j] = cheapest[j - 1] + 1;
        begins[j] = (uint16_t)(j - 1);
        uint32_t strangers = 0;
        for (size_t i = j - 1; i-- > 0;) {
            if (c->ranges[i].to == c->ranges[j - 1].to) {
                if (cheapest[i] + 1 + strangers < cheapest[j]) {
                    cheapest[j] = cheapest[i] + 1 + strangers;
                    begins[j] = (uint16_t)i;
                }
            } else if (width(c, i) > 2) {
                break; /* three JEQ are never cheaper than two boundaries */
            } else {
                strangers += width(c, i);
            }
        }
    }
    for (size_t j = c->range_count; j > 0; j = begins[j])
        c->cells[c->cell_count++] = (struct cell){ begins[j], (uint16_t)(j - 1), c->ranges[j - 1].to };
    for (size_t i = 0; i < c->cell_count / 2; i++) {
        struct cell swap = c->cells[i];
        c->cells[i] = c->cells[c->cell_count - 1 - i];
        c->cells[c->cell_count - 1 - i] = swap;
    }
}

/* ---- 4. The search ---- */

/* How many known numbers lie in ranges first..last; at least one each. */
static uint32_t weight(const struct compiler *c, size_t first, size_t last)
{
    uint32_t from = c->ranges[first].first, to = c->ranges[last + 1].first;
    uint32_t known = MIN_OF(to, SYSCALL_NEWEST + 1u) - MIN_OF(from, SYSCALL_NEWEST + 1u);
    return known + (uint32_t)(last - first) + 1;
}

static at lone_numbers(struct compiler *c, size_t first, size_t last, at to)
{
    at code = to;
    for (size_t i = last + 1; i-- > first;) {
        if (c->ranges[i].to == to)
            continue;
        for (uint32_t nr = c->ranges[i + 1].first; nr-- > c->ranges[i].first;)
            code = gen_jump(&c->gen, BPF_JEQ, nr, c->ranges[i].to, code);
    }
    return code;
}

static at cell_code(struct compiler *c, size_t first, size_t last, at to)
{
    uint32_t strangers = 0;
    for (size_t i = first; i <= last; i++)
        if (c->ranges[i].to != to)
            strangers += width(c, i);
    if (strangers <= MAX_CHAIN)
        return lone_numbers(c, first, last, to);
    size_t half = first + 1;
    while (half < last && weight(c, first, half) < weight(c, half + 1, last))
        half++;
    at right = cell_code(c, half, last, to);
    at left = cell_code(c, first, half - 1, to);
    return gen_jump(&c->gen, BPF_JGE, c->ranges[half].first, right, left);
}

static at search_code(struct compiler *c, size_t first, size_t last)
{
    const struct cell *cells = c->cells;
    if (first == last)
        return cell_code(c, cells[first].first, cells[first].last, cells[first].to);
    size_t half = first + 1;
    while (half < last &&
           weight(c, cells[first].first, cells[half].last) < weight(c, cells[half].first, cells[last].last))
        half++;
    at right = search_code(c, half, last);
    at left = search_code(c, first, half - 1);
    return gen_jump(&c->gen, BPF_JGE, c->ranges[cells[half].first].first, right, left);
}

static at head_code(struct compiler *c, at search)
{
    struct gen *g = &c->gen;
    at number = gen_load(g, offsetof(struct seccomp_data, nr), search);
    at check = gen_jump(g, BPF_JEQ, FILTER_NATIVE_ARCH, number, plain(c, c->spec->foreign));
    return gen_load(g, offsetof(struct seccomp_data, arch), check);
}

/* ---- The whole ---- */

static bool spec_is_sound(const struct filter_spec *spec)
{
    uint32_t outside[] = { spec->unknown, spec->foreign };
    for (size_t i = 0; i < ARRAY_LEN(outside); i++)
        if (!filter_action_is_known(outside[i]) || filter_action_permits(outside[i]))
            return false;
    for (size_t i = 0; i < spec->rule_count; i++)
        if (!filter_action_is_known(spec->rules[i].action))
            return false;
    for (int nr = 0; nr < FILTER_NRS; nr++) {
        const struct filter_entry *call = &spec->calls[nr];
        if (!filter_action_is_known(call->action))
            return false;
        if (!syscall_name(nr) && (call->rules || filter_action_permits(call->action)))
            return false;
    }
    return true;
}

int filter_compile(const struct filter_spec *spec, struct sock_filter *out, size_t max, size_t *ret_n,
                   struct error *err)
{
    if (!spec_is_sound(spec))
        return err_set(err, -EINVAL, BLAME_US, "SECCOMP",
                       "system call filter permits a number that is no call, "
                       "or has an unknown action");
    struct compiler c;
    c.gen = (struct gen){ .out = out, .max = (uint32_t)MIN_OF(max, (size_t)BPF_MAXINSNS) };
    c.spec = spec;
    c.plain_count = c.range_count = c.cell_count = 0;
    make_ranges(&c);
    if (!c.gen.full) {
        plan_cells(&c);
        gen_finish(&c.gen, head_code(&c, search_code(&c, 0, c.cell_count - 1)));
    }
    if (c.gen.full)
        return err_set(err, -E2BIG, BLAME_CALLER, "SECCOMP", "system call filter needs more than %zu instructions",
                       max);
    *ret_n = c.gen.n;
    return 0;
}
