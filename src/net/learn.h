#pragma once
#include "watch/event.h"
struct net_learn;
struct net_learn *net_learn_new(void);
struct net_learn *net_learn_free(struct net_learn *l);
void net_learn_add(struct net_learn *l, const struct watch_event *e);
void net_learn_print(const struct net_learn *l, struct buf *out);
