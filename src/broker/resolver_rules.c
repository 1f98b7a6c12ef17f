#include "broker/resolver.h"

#include <arpa/inet.h>
#include <stdio.h>

static void say(struct judgement *j, const char *rule)
{
    (void)snprintf(j->rule, sizeof j->rule, "%s", rule);
}

static void refuse(struct judgement *j, struct dns_answer *answer, const char *rule)
{
    j->verdict = WATCH_REFUSED;
    j->is_answered = true;
    say(j, rule);
    dns_answer_clear(answer, DNS_NXDOMAIN);
}

static void answer_localhost(uint16_t type, struct judgement *j, struct dns_answer *answer)
{
    static const uint8_t four[4] = { 127, 0, 0, 1 }, six[16] = { [15] = 1 };
    struct net_address a = type == DNS_A ? net_address_from(AF_INET, four) : net_address_from(AF_INET6, six);
    j->is_answered = true;
    say(j, "localhost is the sandbox's own");
    dns_answer_clear(answer, DNS_NOERROR);
    if (type == DNS_A || type == DNS_AAAA)
        dns_answer_add_address(answer, &a, 3600);
}

/* Below arpa only whole addresses, and only such as the sandbox could reach: the names of the host's neighbours are
 * theirs. */
static bool may_reverse(const struct net_rules *r, const char *name)
{
    struct net_address a;
    return dns_reverse_address(name, &a) && net_may_answer(r, name, &a);
}

void judge_question(const struct net_rules *r, const struct dns_question *q, struct judgement *ret,
                    struct dns_answer *answer)
{
    struct net_decision d;
    *ret = (struct judgement){ .verdict = WATCH_ALLOWED };
    if (!dns_name_text(&q->name, ret->name)) {
        refuse(ret, answer, "bytes that no name of a host has");
        return;
    }
    if (str_eq(ret->name, "localhost") || str_ends(ret->name, ".localhost")) {
        answer_localhost(q->type, ret, answer);
        return;
    }
    if (!r->has_names) {
        refuse(ret, answer, "no names in this profile (network.dns)");
        return;
    }
    net_decide_name(r, ret->name, &d);
    if (d.place != NET_HOST) {
        refuse(ret, answer, d.rule);
        return;
    }
    say(ret, d.rule);
    if (str_ends(ret->name, ".arpa") && !may_reverse(r, ret->name)) {
        refuse(ret, answer, "the reverse of an address that may not be reached");
    } else if (!dns_is_known(q->type)) {
        ret->is_answered = true;
        dns_answer_clear(answer, DNS_NOERROR);
        (void)snprintf(ret->rule, sizeof ret->rule, "type %u is answered with nothing", q->type);
    }
}

/* A rule that denies (not merely: none that allows) a name on the way */
static bool is_denied_on_the_way(const struct net_rules *r, const struct dns_answer *answer, struct net_decision *ret)
{
    char name[NET_NAME_MAX];
    for (size_t i = 0; i < answer->chain; i++) {
        struct dns_name target = dns_record_target(answer, i);
        if (!dns_name_text(&target, name))
            continue;
        net_decide_name(r, name, ret);
        if (ret->place == NET_REFUSE && str_starts(ret->rule, "deny "))
            return true;
    }
    return false;
}

void judge_answer(const struct net_rules *r, struct judgement *j, struct dns_answer *answer)
{
    struct net_decision d;
    struct net_address a;
    bool keep[DNS_RECORDS_MAX];
    char text[INET6_ADDRSTRLEN] = "";
    if (is_denied_on_the_way(r, answer, &d)) {
        refuse(j, answer, d.rule);
        return;
    }
    uint16_t count = answer->count;
    for (uint16_t i = 0; i < count; i++) {
        keep[i] = !dns_record_address(answer, i, &a) || net_may_answer(r, j->name, &a);
        if (!keep[i])
            (void)inet_ntop(a.family, a.bytes, text, sizeof text);
    }
    dns_answer_keep(answer, keep);
    if (answer->count == count)
        return;
    (void)snprintf(j->rule, sizeof j->rule, "%u of %u addresses may not be reached: %s",
                   (unsigned)(count - answer->count), (unsigned)(count - answer->chain), text);
    if (answer->count == answer->chain)
        j->verdict = WATCH_REFUSED;
}
