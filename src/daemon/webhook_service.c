/* webhook_service.c - the service's own webhooks. */
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

int webhook_open(struct service *v, struct webhooks **ret, struct error *err)
{
    const struct webhook_host host = {
        .context = v, .log = log_line, .count = count, .state_dir = v->places.state_dir, .first_pause_ms = 1000
    };
    struct policy_set *set = service_policies(v);
    int e = webhook_start(&host, &set->level[set->default_level].config, ret, err);
    (void)policy_set_unref(set);
    return e;
}
