/* health.h - what a supervisor, a load balancer and Prometheus ask: no key, no details. */
#pragma once
#include "daemon/service.h"

void health_live(struct call *c, struct http_answer *a); /* GET /healthz: the process answers */
void health_ready(struct call *c,
                  struct http_answer *a); /* GET /readyz: a run would be taken; 503 when not, with what is missing */
void health_version(struct call *c, struct http_answer *a); /* GET /version */
void health_metrics(struct call *c, struct http_answer *a); /* GET /metrics */
