/* webhook.h - events posted to other people's servers: signed, retried, bounded, and not into the private network.
 *
 *   POST  {"id","type","created","data":{…}}   type: execution_started | execution_completed | execution_failed |
 * security_violation | alert headers: X-Sandbox-Event, X-Sandbox-Delivery (the id, the same in every attempt and for
 * every receiver), X-Sandbox-Timestamp (seconds, of the attempt), X-Sandbox-Signature: v1=<hex HMAC-SHA256 of
 * "timestamp.body" with the secret> A thread of its own; adding an event never waits. Each URL has its share of
 * endpoints.webhooks.queue_size and its own posts under way, so one receiver that is slow or dead takes neither room
 * nor time from another. docs/webhooks.md is for those who receive.
 */
#pragma once
#include "base/error.h"
#include "config/config.h"
#include "daemon/metrics.h"

struct service;
struct webhooks;

/* The first four in the order of endpoints.webhooks.events. An alert is asked for by monitoring.alerts.channels:
 * webhook. */
enum webhook_event {
    WEBHOOK_STARTED,
    WEBHOOK_COMPLETED,
    WEBHOOK_FAILED,
    WEBHOOK_VIOLATION,
    WEBHOOK_ALERT,
    WEBHOOK_EVENTS
};

/* What no single key can check: URLs that are none, or could never be posted to. BLAME_CALLER. Before
 * webhook_configure() of a reload. */
int webhook_check(const struct config *c, struct error *err);
/* With the configuration of now (service_policies()). Makes the secret at first use. */
int webhook_open(struct service *v, struct webhooks **ret, struct error *err);
/* data: a finished JSON object; copied. Nothing where this event is not asked for. Never code, output, environment or
 * keys. */
void webhook_add(struct webhooks *w, enum webhook_event e, const char *data, size_t size);
/* The same for alert_send(): an object of run/alert.c. For trail_shared.alert; webhooks may be NULL. */
void webhook_alert(void *webhooks, const char *json, size_t size);
/* Another configuration: events that wait keep going to where they were meant for. */
void webhook_configure(struct webhooks *w, const struct config *c);
uint32_t webhook_waiting(struct webhooks *w);
/* Tries what waits for at most wait_ms, then gives up; returns NULL. */
struct webhooks *webhook_close(struct webhooks *w, uint32_t wait_ms);

/* The service as webhooks see it; webhook_open() fills it. */
struct webhook_host {
    void *context;
    void (*log)(void *context, enum log_level level, const char *text);
    void (*count)(void *context, enum metrics_event e); /* takes no lock */
    const char *state_dir;                              /* where webhook.secret is; NULL: nowhere */
    uint64_t first_pause_ms;                            /* before the second attempt; doubles */
};
int webhook_start(const struct webhook_host *h, const struct config *c, struct webhooks **ret, struct error *err);
