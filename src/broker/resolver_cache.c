#include "broker/resolver.h"

static bool is_of(const struct cached *e, const struct dns_question *q, uint64_t now_ms)
{
    return e->until_ms > now_ms && e->question.type == q->type && dns_name_equal(&e->question.name, &q->name);
}

void cache_put(struct cache *c, const struct dns_question *q, const struct dns_answer *a, uint64_t now_ms)
{
    uint32_t longest = a->count > a->chain ? RESOLVER_CACHE_S : RESOLVER_NEGATIVE_S;
    uint32_t ttl_s = MIN_OF(dns_answer_ttl(a), longest);
    struct cached *place = &c->list[0];
    if (!ttl_s || (a->rcode != DNS_NOERROR && a->rcode != DNS_NXDOMAIN))
        return;
    for (size_t i = 0; i < RESOLVER_CACHE; i++) { /* its own, or the one that ends first */
        if (is_of(&c->list[i], q, now_ms)) {
            place = &c->list[i];
            break;
        }
        if (c->list[i].until_ms < place->until_ms)
            place = &c->list[i];
    }
    *place = (struct cached){ now_ms, now_ms + (uint64_t)ttl_s * 1000, *q, *a };
}

bool cache_get(const struct cache *c, const struct dns_question *q, uint64_t now_ms, struct dns_answer *ret)
{
    for (size_t i = 0; i < RESOLVER_CACHE; i++) {
        if (!is_of(&c->list[i], q, now_ms))
            continue;
        *ret = c->list[i].answer;
        dns_answer_age(ret, (uint32_t)((now_ms - c->list[i].from_ms) / 1000));
        return true;
    }
    return false;
}
