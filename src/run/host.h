/* host.h - who makes runs, and what it does where hosts differ: the command line makes one and ends (exec_one_shot),
 * sandboxd makes many at once (daemon/runner.c), and its package builds are runs, too (daemon/package_builds.c). A
 * further host fills this table. A function may be NULL where nothing is said of it.
 */
#pragma once
#include "config/config.h"
#include "run/instance.h"

struct exec;

struct exec_host {
    /* A person waits: what takes long shows its progress, and ^C before the start starts nothing. */
    bool is_interactive;
    /* Who asks is not who decides: sandboxes are shared out from prepared ones, every run keeps a receipt, and no
     * request chooses another backend than the operator's. */
    bool serves_others;

    /* In place of what s->client is, a connection to this backend's launcher; or it is that one already. NULL: there is
     * one launcher, whichever is asked for. */
    int (*connect)(struct exec *s, enum config_backend backend, struct error *err);
    /* The launcher died before it read the plan: another connection. NULL: there is no other launcher. */
    int (*reconnect)(struct exec *s, struct error *err);
    /* An instance that waits for a run of this plan (exec_park()): true, and client and tag are its own; what s->client
     * was is taken back. NULL: none is ever. With it, reconnect is there. */
    bool (*claim)(struct exec *s, struct instance *ret);

    /* Audit and store are open, nothing is decided yet: for what runs of dead owners left. */
    int (*opened)(struct exec *s, struct error *err);
    /* It is decided whether it may run, and nothing is started yet. */
    int (*judged)(struct exec *s, struct error *err);
    /* The code will run; the audit is not told yet. */
    void (*decided)(struct exec *s, enum risk_level level);
    /* The plan is with the launcher, and the sandbox starts: for work that no request has to wait for. */
    void (*sent)(struct exec *s, enum risk_level level);
    /* Once, when it has run for TRAIL_TICK_MS: for work that a short run need not wait for. */
    void (*lasting)(struct exec *s);
    /* The answer is out, and what is kept of the run is kept. */
    void (*tidied)(struct exec *s);
    /* In exec_done(): what the host gave, but for what is lent. */
    void (*done)(struct exec *s);
};

/* The command line's. Its launcher is a child of this process, or this user's service has lent a connection to its own
 * (run/lend.h); s->stream.stop is closed with the run. */
extern const struct exec_host exec_one_shot;
/* The launcher of a one-shot run, before it is known which one: it starts while we read files and policy. */
int exec_start_launcher(struct exec *s, struct error *err);
