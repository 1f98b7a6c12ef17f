#include "broker/request.h"

#include "broker/route.h"

#include <stdio.h>

/* The interface that the caller named with a link-local address; 0: none. */
static uint32_t scope_of(const struct asked_address *a)
{
    uint32_t scope = 0;
    if (a->raw.ss_family == AF_INET6 && a->size >= sizeof(struct sockaddr_in6))
        memcpy(&scope, (const char *)&a->raw + offsetof(struct sockaddr_in6, sin6_scope_id), sizeof scope);
    return scope;
}

void request_decide(struct broker *b, struct request *r)
{
    char address[NET_ADDRESS_MAX];
    net_decide_address(&b->rules, b->names, &r->to.address, r->to.port, clock_ms(), &r->decision);
    if (r->decision.place != NET_HOST || net_names_exactly(&b->rules, &r->to.address, r->to.port) ||
        !route_is_local(b->routes, &r->to.address, scope_of(&r->to)))
        return;
    r->decision.place = NET_REFUSE;
    net_address_format(&r->to.address, address);
    (void)snprintf(r->decision.rule, sizeof r->decision.rule, "the host's own address %s", address);
}

struct watch_event request_describe(struct broker *b, const struct request *r, int error)
{
    struct watch_event e = notify_event(&b->notify, r->ask, WATCH_CONNECT);
    asked_describe(&r->to, &r->target, &e);
    e.name = r->decision.name[0] ? r->decision.name : NULL;
    e.text = r->decision.rule;
    e.error = (uint32_t)error;
    e.flags = r->decision.place == NET_SANDBOX ? WATCH_INSIDE : 0;
    return e;
}

void request_tell_allowed(struct broker *b, struct request *r, int error)
{
    struct watch_event e = request_describe(b, r, error);
    notify_tell(&b->notify, &e);
}

void request_tell_refused(struct broker *b, struct request *r, const char *rule, int error)
{
    if (rule)
        (void)snprintf(r->decision.rule, sizeof r->decision.rule, "%s", rule);
    r->decision.place = NET_REFUSE;
    struct watch_event e = request_describe(b, r, error);
    e.verdict = WATCH_REFUSED;
    notify_tell(&b->notify, &e);
}

void request_answer_refused(struct broker *b, struct request *r, const char *rule, int error)
{
    request_tell_refused(b, r, rule, error);
    notify_refuse(&b->notify, r->ask->id, error);
}
