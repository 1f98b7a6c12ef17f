#include "filter/gen.h"

#define REACH 255u /* jt and jf are eight bits */

static at append(struct gen *g, struct sock_filter f)
{
    if (g->n == g->max) {
        g->full = true;
        return 0;
    }
    g->out[g->n] = f;
    return g->n++;
}

/* The searches below look at what a jump written now, or one later, can reach. */
#define FOR_EACH_NEAR(g, i) for (uint32_t i = (g)->n; i-- > 0 && (g)->n - i < REACH;)

at gen_ret(struct gen *g, uint32_t action)
{
    FOR_EACH_NEAR(g, i)
    {
        if (g->out[i].code == (BPF_RET | BPF_K) && g->out[i].k == action)
            return i;
    }
    return append(g, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

static at append_goto(struct gen *g, at target)
{
    return append(g, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, g->n - target - 1));
}

/* A position that jumps `to`, or does what stands there, within reach of the
 * instruction written after `slack` further ones. */
static at within_reach(struct gen *g, at to, uint32_t slack)
{
    if (g->full || g->n + slack - to - 1 <= REACH)
        return to;
    const struct sock_filter *far = &g->out[to];
    if (BPF_CLASS(far->code) == BPF_RET)
        return gen_ret(g, far->k);
    FOR_EACH_NEAR(g, i)
    {
        if (g->out[i].code == (BPF_JMP | BPF_JA) && i - 1 - g->out[i].k == to)
            return i;
    }
    return append_goto(g, to);
}

/* LD and AND fall through, so `next` must stand directly behind them. */
static at straight(struct gen *g, struct sock_filter f, at next)
{
    FOR_EACH_NEAR(g, i)
    {
        if (g->out[i].code == f.code && g->out[i].k == f.k && i - 1 == next)
            return i;
    }
    if (g->n != next + 1)
        (void)append_goto(g, next); /* a full buffer shows in g->full */
    return append(g, f);
}

at gen_load(struct gen *g, uint32_t offset, at next)
{
    return straight(g, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offset), next);
}

at gen_and(struct gen *g, uint32_t mask, at next)
{
    return straight(g, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask), next);
}

static bool outcome(const struct sock_filter *f, uint32_t a)
{
    switch (BPF_OP(f->code)) {
    case BPF_JEQ:
        return a == f->k;
    case BPF_JGT:
        return a > f->k;
    case BPF_JGE:
        return a >= f->k;
    default:
        return (a & f->k) != 0;
    }
}

/* Where control really goes from `to`, coming from the jump (code, k) with this result. */
static at thread(const struct gen *g, uint16_t code, uint32_t k, bool result, at to)
{
    for (;;) {
        const struct sock_filter *f = &g->out[to];
        if (BPF_CLASS(f->code) != BPF_JMP)
            return to;
        if (BPF_OP(f->code) == BPF_JA)
            to = to - 1 - f->k;
        else if (f->code == code && f->k == k)
            to = to - 1 - (result ? f->jt : f->jf);
        else if (result && BPF_OP(code) == BPF_JEQ) /* A is k */
            to = to - 1 - (outcome(f, k) ? f->jt : f->jf);
        else
            return to;
    }
}

at gen_jump(struct gen *g, uint16_t op, uint32_t k, at yes, at no)
{
    if (g->full)
        return 0;
    uint16_t code = (uint16_t)(BPF_JMP | op | BPF_K);
    yes = thread(g, code, k, true, yes);
    no = thread(g, code, k, false, no);
    if (yes == no)
        return yes;
    FOR_EACH_NEAR(g, i)
    {
        const struct sock_filter *o = &g->out[i];
        if (o->code == code && o->k == k && i - 1 - o->jt == yes && i - 1 - o->jf == no)
            return i;
    }
    yes = within_reach(g, yes, 1); /* 1: room for what the other may need */
    no = within_reach(g, no, 0);
    if (g->full)
        return 0;
    return append(g, (struct sock_filter)BPF_JUMP(code, k, (uint8_t)(g->n - yes - 1), (uint8_t)(g->n - no - 1)));
}

/* Marks what can be reached from `start`. */
static void mark_live(const struct gen *g, at start, bool *live)
{
    live[start] = true;
    for (uint32_t i = start + 1; i-- > 0;) {
        const struct sock_filter *f = &g->out[i];
        if (!live[i] || BPF_CLASS(f->code) == BPF_RET)
            continue;
        if (BPF_CLASS(f->code) != BPF_JMP) {
            live[i - 1] = true;
        } else if (BPF_OP(f->code) == BPF_JA) {
            live[i - 1 - f->k] = true;
        } else {
            live[i - 1 - f->jt] = true;
            live[i - 1 - f->jf] = true;
        }
    }
}

/* Squeezes out the dead and the jumps to the next instruction; distances only shrink. */
static void squeeze(struct gen *g, at start)
{
    bool live[BPF_MAXINSNS] = { false };
    uint16_t now_at[BPF_MAXINSNS] = { 0 };
    uint32_t n = 0;
    mark_live(g, start, live);
    for (uint32_t i = 0; i <= start; i++) {
        struct sock_filter f = g->out[i];
        if (!live[i])
            continue;
        if (f.code == (BPF_JMP | BPF_JA)) {
            at to = now_at[i - 1 - f.k];
            if (to + 1 == n) {
                now_at[i] = (uint16_t)to;
                continue;
            }
            f.k = n - to - 1;
        } else if (BPF_CLASS(f.code) == BPF_JMP) {
            f.jt = (uint8_t)(n - now_at[i - 1 - f.jt] - 1);
            f.jf = (uint8_t)(n - now_at[i - 1 - f.jf] - 1);
        }
        now_at[i] = (uint16_t)n;
        g->out[n++] = f;
    }
    g->n = n;
}

void gen_finish(struct gen *g, at start)
{
    if (g->full)
        return;
    squeeze(g, start);
    for (uint32_t i = 0; i < g->n / 2; i++) {
        struct sock_filter f = g->out[i];
        g->out[i] = g->out[g->n - 1 - i];
        g->out[g->n - 1 - i] = f;
    }
}
