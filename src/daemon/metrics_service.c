/* metrics_service.c - gauges from the service's parts. */
#include "daemon/metrics_internal.h"
#include "daemon/service.h"

static void read_http(const struct http_server *s, struct metrics_gauges *g)
{
    const struct http_counters *n = http_counters(s);
    g->connections = n->live;
    g->connections_total = n->connections;
    g->connections_refused = n->refused_connections;
    g->connections_evicted = n->evicted;
    g->requests_bad = n->bad_requests;
    g->requests_timed_out = n->timeouts;
}

void metrics_text(struct service *v, struct buf *out)
{
    struct metrics_gauges g = { 0 };
    metrics_gauges(v, &g);
    g.is_draining = v->is_draining;
    if (v->http)
        read_http(v->http, &g);
    if (v->webhooks)
        g.webhooks_waiting = webhook_waiting(v->webhooks);
    metrics_agents(v, v->metrics, &g.agents);
    metrics_process(&g.process);
    metrics_write(v->metrics, &g, out);
}
