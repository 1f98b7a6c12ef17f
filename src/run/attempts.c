#include "run/attempts.h"

#include <stdio.h>
#include <sys/socket.h>

#include "net/scope.h"
#include "policy/target.h"

static bool is_metadata(const struct watch_event *e)
{
    if (e->family != AF_INET && e->family != AF_INET6)
        return false;
    struct net_address a = net_address_from(e->family, e->address);
    return net_scope_of(&a) == NET_METADATA;
}

void attempts_see(struct attempts *a, const struct watch_event *e)
{
    if (e->kind == WATCH_FILE && e->flags & WATCH_FOR_WRITING && e->text && a->is_root_fixed && !a->target) {
        a->target = target_of(e->text);
        a->write_at_us = e->at_us;
    } else if (e->kind == WATCH_CONNECT && e->verdict == WATCH_REFUSED && is_metadata(e)) {
        if (a->probes++ == 0) {
            watch_event_address(e, a->address);
            a->probe_at_us = e->at_us;
        }
    } else if (e->kind == WATCH_SOCKET && (e->family == AF_INET || e->family == AF_INET6) && !a->has_asked_network) {
        a->has_asked_network = true;
        a->socket_error = e->error;
        a->socket_at_us = e->at_us;
    }
}

const char *attempts_write(struct attempts *a, uint64_t *ret_at_us)
{
    if (!a->target)
        return NULL;
    *ret_at_us = a->write_at_us;
    (void)snprintf(a->write_detail, sizeof a->write_detail, "%s, stopped by the mounts", a->target);
    return a->write_detail;
}

const char *attempts_connect(struct attempts *a, enum metadata_intent intent, uint64_t *ret_at_us)
{
    if (a->probes && (intent != METADATA_NOT_NAMED || a->probes > ATTEMPTS_PROBES)) {
        *ret_at_us = a->probe_at_us;
        (void)snprintf(a->detail, sizeof a->detail, "the metadata service %s, stopped by the broker", a->address);
        return a->detail;
    }
    if (a->has_asked_network && intent == METADATA_ASKED) {
        *ret_at_us = a->socket_at_us;
        (void)snprintf(a->detail, sizeof a->detail, "a metadata service, stopped by the %s",
                       a->socket_error ? "filter" : "network namespace");
        return a->detail;
    }
    return NULL;
}
