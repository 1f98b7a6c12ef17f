/* Whatever a program asks («q» and the message), a server answers («a» and the message) or a resolv.conf says («c» and
 * the text): what is written for the program is read back as what was meant, fits where it must, and names no address
 * that may not be reached. */
#include "broker/resolver.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct net_rules *rules(void)
{
    static struct net_rules r = { .has_names = true };
    if (!r.compiled.is_ready &&
        (strlist_add(&r.ports, "443") < 0 || strlist_add(&r.deny, "evil.test") < 0 || net_rules_compile(&r, NULL) < 0))
        abort();
    return &r;
}

static void write_both(const struct dns_query *q, const struct dns_answer *a, const char *why)
{
    static uint8_t out[RESOLVER_TCP_MAX];
    static struct dns_answer again;
    struct dns_ask sent = { .id = q->id, .question = q->question };
    size_t n = dns_answer_write(q, a, why, true, out, 4096);
    assert(n >= 12 && n <= MIN_OF((size_t)4096, (size_t)q->udp_size));
    n = dns_answer_write(q, a, why, false, out, sizeof out);
    int r = dns_answer_read(out, n, &sent, &again);
    if (q->question.name.size == 0)
        return; /* nothing that could be read again */
    assert(r == 0 && again.rcode == (a->rcode & 15) && again.chain == a->chain && again.count == a->count);
    for (size_t i = 0; i < a->count; i++) {
        const struct dns_record *one = &a->records[i], *other = &again.records[i];
        assert(one->type == other->type && one->size == other->size && one->ttl_s == other->ttl_s &&
               memcmp(a->pool + one->at, again.pool + other->at, one->size) == 0);
    }
}

static void fuzz_query(const uint8_t *data, size_t size)
{
    static struct dns_answer a;
    static struct judgement j;
    struct dns_query q;
    int rcode = dns_query_read(data, size, &q);
    dns_answer_clear(&a, (uint8_t)MAX_OF(rcode, 0));
    if (rcode == 0)
        judge_question(rules(), &q.question, &j, &a);
    if (rcode >= 0)
        write_both(&q, &a, rcode == 0 && j.verdict == WATCH_REFUSED ? j.rule : NULL);
}

/* As if we had asked exactly what the message says that it answers. */
static bool sent_for(const uint8_t *data, size_t size, struct dns_query *ret)
{
    uint8_t query[12 + DNS_NAME_MAX + 4];
    size_t n = MIN_OF(size, sizeof query), at = 12;
    memcpy(query, data, n);
    while (at < n && query[at] && query[at] < 64)
        at += 1u + query[at];
    if (at + 5 > n)
        return false;
    memcpy(query + 2, "\1\0\0\1\0\0\0\0\0\0", 10);
    return dns_query_read(query, at + 5, ret) == 0 && dns_is_known(ret->question.type);
}

static void fuzz_answer(const uint8_t *data, size_t size)
{
    static struct dns_answer a;
    struct dns_query q;
    struct judgement j = { .verdict = WATCH_ALLOWED };
    struct net_address address;
    if (!sent_for(data, size, &q) || !dns_name_text(&q.question.name, j.name))
        return;
    struct dns_ask sent = { .id = q.id, .question = q.question };
    if (dns_answer_read(data, size, &sent, &a) < 0)
        return;
    q.udp_size = (uint16_t)(512 + size % 2048);
    write_both(&q, &a, NULL);
    judge_answer(rules(), &j, &a);
    for (size_t i = 0; i < a.count; i++)
        assert(!dns_record_address(&a, i, &address) || net_scope_of(&address) == NET_PUBLIC);
    q.has_edns = true;
    write_both(&q, &a, j.rule);
}

static void fuzz_conf(const uint8_t *data, size_t size)
{
    char *text = strndup((const char *)data, size);
    struct servers s;
    if (!text)
        abort();
    servers_parse(text, &s);
    assert(s.count >= 1 && s.count <= SERVERS_MAX && s.timeout_ms >= 1000 && s.timeout_ms <= 5000 && s.attempts >= 1 &&
           s.attempts <= 3);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && data[0] == 'q')
        fuzz_query(data + 1, size - 1);
    if (size && data[0] == 'a')
        fuzz_answer(data + 1, size - 1);
    if (size && data[0] == 'c')
        fuzz_conf(data + 1, size - 1);
    return 0;
}
