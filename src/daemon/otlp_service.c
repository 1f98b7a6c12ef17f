/* otlp_service.c - the service's own traces and metrics for a collector. */
#include "daemon/service.h"

static void log_line(void *context, enum log_level level, const char *text)
{
    service_log(context, level, "%s", text);
}

static void count(void *context, enum metrics_event e)
{
    struct service *v = context;
    metrics_count(v->metrics, e);
}

static void collect(void *context, struct buf *out)
{
    metrics_text(context, out);
}

int otlp_open(struct service *v, const struct config *c, struct otlp **ret, struct error *err)
{
    const struct otlp_host host = {
        .context = v, .log = log_line, .count = count, .collect = collect, .first_pause_ms = 1000, .gather_ms = 1000
    };
    return otlp_start(&host, c, ret, err);
}
