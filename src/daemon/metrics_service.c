/* metrics_service.c - gauges from the service's parts. */
#include "daemon/metrics_internal.h"
#include "base/clock.h"
#include "daemon/service.h"

void metrics_apply(struct service *v, const struct config *c)
{
    struct buf unknown;
    buf_init(&unknown, 2 * KIB);
    metrics_configure(v->metrics, c, &unknown);
    if (unknown.size)
        service_log(v, LOG_WARN, "monitoring.metrics.metrics: there is no metric %s", unknown.data);
    buf_done(&unknown);
}

void metrics_text(struct service *v, struct buf *out)
{
    struct metrics_gauges g = { 0 };
    struct attempts_row busiest;
    metrics_gauges(v, &g);
    metrics_agents(v, v->metrics, &g.agents);
    metrics_process(&g.process);
    metrics_disk(v->places.state_dir, &g.disks[METRICS_DISK_STATE]);
    metrics_disk(v->trail.audit.dir, &g.disks[METRICS_DISK_LOG]);
    g.busiest_attempts = attempts_busiest(v->metrics->attempts, clock_ms(), &busiest, 1) ? busiest.count : 0;
    metrics_write(v->metrics, &g, out);
}
