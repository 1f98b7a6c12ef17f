/* told.h - which alerts of which agents this service has told in their window: until that is over nothing has to be
 * counted for them. The store knows of all (store_once); this is a few of those that it said yes to, and forgets at
 * will. */
#pragma once
#include <pthread.h>
#include "base/agent_id.h"
#include "policy/alerts.h"

#define TOLD_AGENTS 64u

struct told {
    pthread_mutex_t lock;
    struct told_agent {
        char id[AGENT_ID_MAX + 1];
        uint64_t until_ms[ALERT_KINDS];
    } agents[TOLD_AGENTS];
};

void told_init(struct told *t);
void told_add(struct told *t, const char *agent_id, enum alert_kind kind, uint64_t until_ms);
bool told_is(struct told *t, const char *agent_id, enum alert_kind kind, uint64_t now_ms);
