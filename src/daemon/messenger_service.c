/* messenger_service.c - the service's own messenger. */
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

int messenger_open(struct service *v, const struct config *c, struct messenger **ret, struct error *err)
{
    const struct messenger_host host = { .context = v, .log = log_line, .count = count, .first_pause_ms = 1000 };
    return messenger_start(&host, c, ret, err);
}
