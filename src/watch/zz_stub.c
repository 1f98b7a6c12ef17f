#include "net/learn.h"
#include <stdlib.h>
struct net_learn *net_learn_new(void){return calloc(1,8);}
struct net_learn *net_learn_free(struct net_learn *l){free(l);return NULL;}
void net_learn_add(struct net_learn *l, const struct watch_event *e){(void)l;(void)e;}
void net_learn_print(const struct net_learn *l, struct buf *out){(void)l;(void)out;}
