/* messenger.h - alerts to people: e-mail, and the chats Slack, Teams and Matrix (monitoring.alerts.channels).
 *
 * A thread of its own gathers what is to be told (messenger_digest.c: repetitions are left out, what comes close
 * together is one message, nights are quiet), writes it in the form of each channel (messenger_form.c: what agents
 * wrote can become neither markup nor a mention there), and sends it by libcurl (messenger_send.c). Adding an alert
 * never waits. What cannot be sent after three attempts is told in the log and counted; alerts.log and the audit have
 * it.
 */
#pragma once
#include "base/error.h"
#include "config/config.h"
#include "daemon/metrics.h"

struct messenger;
struct service;
struct messenger_host {
    void *context;
    void (*log)(void *context, enum log_level level, const char *text);
    void (*count)(void *context, enum metrics_event e);
    uint64_t first_pause_ms; /* before the second attempt; the third waits five times as long */
};

/* Secrets that cannot be read are an error: an alert that reaches no person is none. */
int messenger_start(const struct messenger_host *h, const struct config *c, struct messenger **ret, struct error *err);
/* The service's own (messenger_service.c). */
int messenger_open(struct service *v, const struct config *c, struct messenger **ret, struct error *err);
/* Another configuration; on an error, which is told, the one of before stays. */
void messenger_configure(struct messenger *m, const struct config *c);
/* Before a reload: whether messenger_configure() would take it. */
int messenger_check(const struct config *c, struct error *err);
/* For trail_shared.tell; messenger may be NULL. Copies. */
void messenger_alert(void *messenger, const char *condition, const char *agent_id, const char *message);
/* Sends what waits, for at most wait_ms; returns NULL. */
struct messenger *messenger_close(struct messenger *m, uint32_t wait_ms);

/* One message to each channel, now, one attempt: a line each on stdout. 0, or how many did not arrive. */
unsigned messenger_test(const struct config *c);
