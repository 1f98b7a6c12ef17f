#include "filter/filter.h"

bool filter_action_is_known(uint32_t action)
{
    switch (FILTER_ACTION(action)) {
    case SECCOMP_RET_KILL_PROCESS:
    case SECCOMP_RET_KILL_THREAD:
    case SECCOMP_RET_TRAP:
    case SECCOMP_RET_USER_NOTIF:
    case SECCOMP_RET_LOG:
    case SECCOMP_RET_ALLOW:
        return true;
    case SECCOMP_RET_ERRNO:
        return (action & SECCOMP_RET_DATA) <= 4095; /* MAX_ERRNO; the kernel would clamp */
    default:                                        /* TRACE: no tracer of ours would ever answer */
        return false;
    }
}

bool filter_action_permits(uint32_t action)
{
    uint32_t kind = FILTER_ACTION(action);
    return kind == SECCOMP_RET_ALLOW || kind == SECCOMP_RET_LOG || kind == SECCOMP_RET_USER_NOTIF;
}

/* `left`: instructions behind this one. */
static bool insn_is_fine(const struct sock_filter *f, size_t left)
{
    switch (f->code) {
    case BPF_LD | BPF_W | BPF_ABS:
        return left && f->k % 4 == 0 && f->k < sizeof(struct seccomp_data);
    case BPF_ALU | BPF_AND | BPF_K:
        return left > 0;
    case BPF_JMP | BPF_JA:
        return f->k < left;
    case BPF_JMP | BPF_JEQ | BPF_K:
    case BPF_JMP | BPF_JGT | BPF_K:
    case BPF_JMP | BPF_JGE | BPF_K:
    case BPF_JMP | BPF_JSET | BPF_K:
        return f->jt < left && f->jf < left;
    case BPF_RET | BPF_K:
        return filter_action_is_known(f->k);
    default:
        return false;
    }
}

int filter_verify(const void *prog, size_t n)
{
    struct sock_filter f = { 0 };
    if (n < 1 || n > BPF_MAXINSNS)
        return -EINVAL;
    for (size_t i = 0; i < n; i++) {
        memcpy(&f, (const char *)prog + i * sizeof f, sizeof f);
        if (!insn_is_fine(&f, n - 1 - i))
            return -EINVAL;
    }
    return f.code == (BPF_RET | BPF_K) ? 0 : -EINVAL;
}

static bool jumps(const struct sock_filter *f, uint32_t a)
{
    switch (BPF_OP(f->code)) {
    case BPF_JEQ:
        return a == f->k;
    case BPF_JGT:
        return a > f->k;
    case BPF_JGE:
        return a >= f->k;
    default:
        return a & f->k;
    }
}

uint32_t filter_eval(const struct sock_filter *prog, size_t n, const struct seccomp_data *data)
{
    uint32_t a = 0;
    for (size_t pc = 0; pc < n && n <= BPF_MAXINSNS; pc++) {
        const struct sock_filter *f = &prog[pc];
        if (!insn_is_fine(f, n - 1 - pc))
            break;
        switch (BPF_CLASS(f->code)) {
        case BPF_RET:
            return f->k;
        case BPF_LD:
            memcpy(&a, (const char *)data + f->k, sizeof(a));
            break;
        case BPF_ALU:
            a &= f->k;
            break;
        default:
            if (BPF_OP(f->code) == BPF_JA)
                pc += f->k;
            else
                pc += jumps(f, a) ? f->jt : f->jf;
        }
    }
    return SECCOMP_RET_KILL_PROCESS;
}
