/* request.h - a call that names an address: what it is about, what is decided, and how that is told. */
#pragma once
#include "broker/target.h"

struct request {
    const struct seccomp_notif *ask;
    struct target target;
    struct asked_address to;
    struct net_decision decision;
};

/* The decision on r->to: the rules', less what the host's own routes say (route.h). */
void request_decide(struct broker *b, struct request *r);
/* The event of this call, from the decision. Its texts borrow from r. */
struct watch_event request_describe(struct broker *b, const struct request *r, int error);
void request_tell_allowed(struct broker *b, struct request *r, int error);
/* Told, not answered. rule: NULL if the decision says why. */
void request_tell_refused(struct broker *b, struct request *r, const char *rule, int error);
/* Both. */
void request_answer_refused(struct broker *b, struct request *r, const char *rule, int error);

/* datagrams.c. The relay for the address that was asked for, if it may have one: 0 or the errno; r->decision says why.
 */
int datagrams_open(struct broker *b, struct request *r);
/* What stands in the event of a refusal: NULL, the decision says it. */
const char *datagrams_refusal(const struct request *r);
