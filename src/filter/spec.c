#include "filter/filter.h"
#include "filter/syscalls.h"

void filter_spec_init(struct filter_spec *ret, uint32_t fallback)
{
    ret->unknown = ret->foreign = FILTER_ERRNO(ENOSYS);
    ret->rule_count = ret->cond_count = 0;
    for (int nr = 0; nr < FILTER_NRS; nr++)
        ret->calls[nr] = (struct filter_entry){
            .action = syscall_name(nr) ? fallback : ret->unknown,
        };
}

void filter_set(struct filter_spec *spec, int nr, uint32_t action)
{
    if (nr < 0)
        return;
    assert(nr < FILTER_NRS);
    spec->calls[nr] = (struct filter_entry){ .action = action };
}

static bool cond_is_valid(const struct filter_cond *c)
{
    if (c->arg >= FILTER_RULE_CONDS || c->op >= FILTER_OPS)
        return false;
    return !c->low32 || (c->mask | c->value) <= UINT32_MAX;
}

/* Copies rule and conditions into the pools; returns index + 1. */
static int rule_new(struct filter_spec *spec, const struct filter_cond *conds, size_t count, uint32_t action)
{
    if (count > FILTER_RULE_CONDS)
        return -EINVAL;
    for (size_t i = 0; i < count; i++)
        if (!cond_is_valid(&conds[i]))
            return -EINVAL;
    if (spec->rule_count == FILTER_MAX_RULES || spec->cond_count + count > FILTER_MAX_CONDS)
        return -E2BIG;
    spec->rules[spec->rule_count++] = (struct filter_rule){
        .action = action,
        .first_cond = spec->cond_count,
        .cond_count = (uint16_t)count,
    };
    for (size_t i = 0; i < count; i++)
        spec->conds[spec->cond_count++] = conds[i];
    return spec->rule_count;
}

int filter_rule_append(struct filter_spec *spec, int nr, const struct filter_cond *conds, size_t count, uint32_t action)
{
    if (nr < 0)
        return 0;
    assert(nr < FILTER_NRS);
    int rule = rule_new(spec, conds, count, action);
    if (rule < 0)
        return rule;
    uint16_t *end = &spec->calls[nr].rules;
    while (*end)
        end = &spec->rules[*end - 1].next;
    *end = (uint16_t)rule;
    return 0;
}

int filter_rule_prepend(struct filter_spec *spec, int nr, const struct filter_cond *conds, size_t count,
                        uint32_t action)
{
    if (nr < 0)
        return 0;
    assert(nr < FILTER_NRS);
    int rule = rule_new(spec, conds, count, action);
    if (rule < 0)
        return rule;
    spec->rules[rule - 1].next = spec->calls[nr].rules;
    spec->calls[nr].rules = (uint16_t)rule;
    return 0;
}
