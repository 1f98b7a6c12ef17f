#include "net/learn.h"
#include "watch/record.h"
#include "watch/watch.h"
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
struct net_learn *net_learn_new(void){return calloc(1,8);}
struct net_learn *net_learn_free(struct net_learn *l){free(l);return NULL;}
void net_learn_add(struct net_learn *l, const struct watch_event *e){(void)l;(void)e;}
void net_learn_print(const struct net_learn *l, struct buf *out){(void)l;(void)out;}
void watch_record_line(const struct watch_event *e, struct buf *out){ char a[WATCH_ADDRESS_MAX]; watch_event_address(e,a); (void)buf_addf(out,"%llu %s nr=%u err=%u pid=%u text=%s argv=%s flags=%u stdio=%u,%u,%u cpu=%llu mem=%llu pids=%u addr=%s name=%s out=%llu in=%llu\n",(unsigned long long)e->at_us,watch_kind_names[e->kind],e->nr,e->error,e->pid,e->text?e->text:"",e->argv?e->argv:"",e->flags,e->stdio0,e->stdio1,e->stdio2,(unsigned long long)e->cpu_us,(unsigned long long)e->memory_bytes,e->pids,a,e->name?e->name:"",(unsigned long long)e->bytes_out,(unsigned long long)e->bytes_in);}
const char *const detector_names[] = {"crypto_mining","port_scanning","data_exfiltration","reverse_shells","network_access_attempt","privilege_escalation_attempt","suspicious_syscalls","fork_bomb_detection","excessive_cpu_usage","excessive_memory_usage",NULL};
enum detector_mode detector_mode_of(const struct profile *p, enum detector d){ return profile_kills(p, detector_names[d])?DETECTOR_KILL:DETECTOR_REPORT;}
struct watch { const struct profile *p; int fired; };
struct watch *watch_new(const struct profile *p){struct watch*w=calloc(1,sizeof *w);w->p=p;return w;}
struct watch *watch_free(struct watch *w){free(w);return NULL;}
size_t watch_feed(struct watch *w, const struct watch_event *e, struct watch_finding ret[static DETECTOR_COUNT]){ if(e->kind==WATCH_SOCKET && !w->fired && e->family!=16){w->fired=1; ret[0]=(struct watch_finding){.detector=DETECT_NETWORK,.mode=detector_mode_of(w->p,DETECT_NETWORK),.at_us=e->at_us}; (void)snprintf(ret[0].evidence,100,"socket family %u",e->family);return 1;} return 0;}
