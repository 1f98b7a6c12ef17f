/* backend.h - where a run takes place. A backend is a program that speaks the launcher's protocol (plan/plan.h): it is
 * sent a plan with descriptors, and answers with an outcome when the run is over and nothing of it is left. Everything
 * before and after (judgement, streams, watch, audit, artifacts) does not know which one it is. To add one:
 * ARCHITECTURE.md, «Backends».
 */
#pragma once
#include "config/config.h"
#include "plan/build.h"
#include "run/client.h"
#include "run/options.h"

struct backend {
    const char *name;    /* --backend, result.backend, metrics */
    const char *program; /* in libexec; «once» as argument: for one run */
    /* Hands the plan over: as client_run() */
    int (*run)(struct client *c, uint64_t tag, const struct plan *p, const int fds[static RUN_FD_MAX],
               struct error *err);
};

const struct backend *backend_of(enum config_backend b);
/* As asked for, or the configuration's. */
enum config_backend backend_choose(const struct options *o, const struct config *c);
/* The plan goes to whichever it was made for. */
int backend_run(struct client *c, uint64_t tag, const struct plan *p, const int fds[static RUN_FD_MAX],
                struct error *err);
