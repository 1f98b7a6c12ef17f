/* webhook.h - events posted to other people's servers: signed, retried, bounded, and not into the private network.
 *
 *   POST  {"id","type","created","data":{…}}   type: execution_started | execution_completed | execution_failed | security_violation
 *   headers: X-Sandbox-Event, X-Sandbox-Delivery (the id, the same in every attempt), X-Sandbox-Timestamp (seconds),
 *            X-Sandbox-Signature: v1=<hex HMAC-SHA256 of "timestamp.body" with the secret>
 * A thread of its own; whoever adds an event never waits.
 */
#pragma once
#include "base/error.h"
#include "config/config.h"

struct service;
struct webhooks;

enum webhook_event { WEBHOOK_STARTED, WEBHOOK_COMPLETED, WEBHOOK_FAILED, WEBHOOK_VIOLATION, WEBHOOK_EVENTS };

int webhook_open(struct service *v, struct webhooks **ret, struct error *err);
/* data: a finished JSON object; copied. Nothing where this event is not asked for. */
void webhook_add(struct webhooks *w, enum webhook_event e, const char *data, size_t size);
/* Another configuration: events that wait keep going to where they were meant for. */
void webhook_configure(struct webhooks *w, const struct config *c);
uint32_t webhook_waiting(struct webhooks *w);
/* Tries what waits for at most wait_ms, then gives up; returns NULL. */
struct webhooks *webhook_close(struct webhooks *w, uint32_t wait_ms);
