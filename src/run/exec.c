#include "run/exec.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/landlock.h"
#include "base/path.h"
#include "run/backend.h"
#include "run/binary.h"
#include "run/event_log.h"
#include "run/locations.h"
#include "run/own_dirs.h"
#include "run/receipt.h"
#include "run/remote.h"

#define RULE_NODE "fleet_levels"

void exec_mark(struct exec *s, const char *name)
{
    if (s->mark_count < ARRAY_LEN(s->marks)) {
        s->marks[s->mark_count].name = name;
        s->marks[s->mark_count++].at_us = clock_us() - s->start_us;
    }
}

enum log_level exec_log_level(const struct exec *s)
{
    for (size_t i = 0; s->options.log_level && log_level_names[i]; i++)
        if (str_eq(s->options.log_level, log_level_names[i]))
            return (enum log_level)i;
    if (!s->has_policy)
        return LOG_INFO;
    if (s->policy.config.development.verbose)
        return LOG_DEBUG;
    /* a profile's debug and trace are for its log file (exec_log_words): stderr is the program's, too */
    return MAX_OF((enum log_level)s->policy.profile.logging.level, LOG_INFO);
}

bool exec_is_debug(const struct exec *s)
{
    return s->options.debug || exec_log_level(s) <= LOG_DEBUG || (s->has_policy && s->policy.config.development.debug);
}

static const char *make_id(struct arena *a, const char *what)
{
    unsigned char r[12];
    char hex[2 * sizeof r + 1];
    if (getrandom(r, sizeof r, 0) != (ssize_t)sizeof r)
        abort(); /* cannot fail for so few bytes once the kernel has booted: getrandom(2) */
    for (size_t i = 0; i < sizeof r; i++)
        (void)snprintf(hex + 2 * i, 3, "%02x", r[i]);
    return arena_printf(a, "%s-%s", what, hex);
}

const char *exec_make_id(struct arena *a)
{
    return make_id(a, "exec");
}

const char *session_make_id(struct arena *a)
{
    return make_id(a, "sess");
}

const char *job_make_id(struct arena *a)
{
    return make_id(a, "job");
}

const char *context_make_id(struct arena *a)
{
    return make_id(a, "ctx");
}

static int check_options(const struct options *o, struct error *err)
{
    for (size_t i = 0; o->log_level && log_level_names[i]; i++)
        if (str_eq(o->log_level, log_level_names[i]))
            return 0;
    return o->log_level ? err_set(err, -EINVAL, BLAME_CALLER, NULL,
                                  "--log-level %s: accepted are trace, debug, info, warn and error", o->log_level)
                        : 0;
}

/* The launcher's error becomes ours, whole. */
static void adopt_error(struct exec *s)
{
    const struct outcome *o = &s->outcome;
    if (!o->error_code)
        return;
    (void)err_set(&s->error, -(int)o->error_code, (enum blame)o->error_blame, o->error_step, "%s",
                  o->error_text ? o->error_text : "");
    if (o->error_remedy && *o->error_remedy)
        (void)err_remedy(&s->error, "%s", o->error_remedy);
}

/* --- before and after ----------------------------------------------------------------------------- */

int exec_open_log(struct exec *s, struct error *err)
{
    const struct profile *p = &s->policy.profile;
    struct locations where = { 0 };
    s->log.fd = -1;
    s->stream.log = -1;
    if (!p->logging.enabled)
        return 0;
    struct error first = { 0 };
    locations_find(s->paths, &s->policy.config, s->arena, &where);
    int e = runlog_open(&s->log, where.log_dirs, p->logging.output, risk_level_names[p->risk_level],
                        s->options.agent_id ? s->options.agent_id : "anonymous", s->id, s->arena, &first);
    if (e < 0) {
        *err = first;
        return err_remedy(err, "make the directory writable, set %s, or logging.enabled: false in the profile",
                          p->logging.output[0] == '/' ? "another logging.output in the profile"
                                                      : "sandbox.paths.log_dir");
    }
    s->stream.log = str_eq(p->logging.output, "false") ? -1 : s->log.fd;
    s->stream.log_left = p->logging.record_all_output ? UINT64_MAX : 64 * KIB;
    return 0;
}

static void close_log(struct exec *s)
{
    char code[32];
    struct result result;
    struct buf words;
    const struct outcome *o = &s->outcome;
    exec_result(s, &result);
    (void)snprintf(code, sizeof code, "%d", result_exit_code(&result)); /* the command line's: always a number */
    const struct runlog_summary summary = {
        .agent = s->options.agent_id ? s->options.agent_id : "anonymous",
        .level = risk_level_names[s->policy.profile.risk_level],
        .language = language_names[s->load.request.language],
        .code_file = s->load.request.code_path ? s->load.request.code_path : strlist_first(&s->options.command),
        .exit_code = code,
        .reason = s->has_outcome                   ? reason_name((enum run_reason)o->reason)
                  : s->error.blame == BLAME_POLICY ? "policy_denied"
                                                   : "sandbox_error",
        .id = s->id,
        .duration_us = s->has_outcome ? o->duration_us : 0,
        .has_metrics = s->has_outcome && s->policy.profile.logging.metrics,
        .cpu_us = o->cpu_us,
        .peak_memory_bytes = o->peak_memory_bytes,
        .words = &words,
    };
    buf_init(&words, 128 * KIB);
    if (s->policy.profile.logging.enabled)
        exec_log_words(s, &words);
    if (s->log.fd < 0 && exec_open_log(s, &(struct error){ 0 }) < 0) /* it never came to a launch that would have */
        s->stream.log_failed = true;
    if (!runlog_close(&s->log, &summary))
        s->stream.log_failed = true;
    buf_done(&words);
}

/* The launcher of this run's backend, where hosts have several. */
static int connect_backend(struct exec *s, struct error *err)
{
    return s->host->connect ? s->host->connect(s, s->load.request.backend, err) : 0;
}

static int refuse_packages(struct exec *s, int code, const char *why, const char *remedy, struct error *err)
{
    const struct options *o = &s->options;
    (void)field_refuse(o->words, err, code, BLAME_CALLER, REQUEST_PACKAGES, o->packages, "%s", why);
    return err_remedy(err, "%s", remedy);
}

/* A set is for its language; a command finds both. */
static int check_packages(struct exec *s, struct error *err)
{
    struct run_request *r = &s->load.request;
    const bool is_node = s->packages.kind == PACKAGE_NODE;
    if (r->backend != BACKEND_NATIVE)
        return refuse_packages(s, -ENOTSUP, "package sets are for the native backend: a container has its image's",
                               "choose an image that has the packages, or the native backend", err);
    if ((r->language == LANG_PYTHON && is_node) || (r->language == LANG_NODE && !is_node))
        return refuse_packages(s, -EINVAL, is_node ? "a set for node" : "a set for python",
                               "name a set that was built for the program's language", err);
    for (uint32_t i = 0; i < r->volume_count; i++)
        if (path_meets(r->volumes[i].inside, is_node ? PACKAGES_OF_NODE : PACKAGES_OF_PYTHON))
            return refuse_packages(s, -EINVAL, "a volume lies where the set is to be", "give the volume another place",
                                   err);
    return 0;
}

static int take_packages(struct exec *s, struct error *err)
{
    struct locations where = { 0 };
    const struct options *o = &s->options;
    struct package_use *u = &s->packages;
    if (o->mounted)
        s->load.request.packages = *o->mounted;
    if (!o->packages)
        return 0;
    locations_find(s->paths, &s->policy.config, s->arena, &where);
    int e = package_use(where.state_dir, o->packages, o->packages_owner, s->arena, u, err);
    if (e < 0) {
        err_field(err, request_word(o->words, REQUEST_PACKAGES));
        return e;
    }
    s->load.request.packages = (struct request_packages){ .name = u->name,
                                                          .tree = u->tree,
                                                          .host = u->host,
                                                          .is_node = u->kind == PACKAGE_NODE,
                                                          .dev = u->dev,
                                                          .ino = u->ino };
    return check_packages(s, err);
}

/* A container's streams are frames. */
static int check_terminal(const struct exec *s, struct error *err)
{
    if (!s->load.request.has_terminal || s->load.request.backend == BACKEND_NATIVE)
        return 0;
    (void)err_set(err, -ENOTSUP, BLAME_CALLER, NULL, "--tty: only the native backend gives a program a terminal");
    return err_remedy(err, "use --backend native");
}

/* Mounts over mounts of the sandbox's own making: an engine has no such thing. */
static int check_guards(const struct exec *s, struct error *err)
{
    if (!s->options.is_wrap || s->load.request.backend == BACKEND_NATIVE)
        return 0;
    (void)err_set(err, -ENOTSUP, BLAME_CALLER, NULL,
                  "wrap: only the native backend keeps places of a volume read-only");
    return err_remedy(err, "use --backend native");
}

int exec_prepare(struct exec *s, struct error *err)
{
    int e = check_options(&s->options, err);
    if (e == 0)
        e = load_request(&s->options, &s->load, err);
    exec_mark(s, "REQUEST");
    if (e == 0)
        e = policy_load(&s->options, s->paths, s->policies, NULL, s->load.request.language, &s->policy, err);
    if (e < 0)
        return e;
    exec_mark(s, "POLICY");
    s->has_policy = true;
    s->asked = s->judgement.level = (enum risk_level)s->policy.profile.risk_level;
    s->load.request.backend = backend_choose(&s->options, &s->policy.config);
    if (s->load.request.backend == BACKEND_REMOTE) /* the level decides (choose_host) */
        s->load.request.backend = BACKEND_NATIVE;
    e = check_terminal(s, err);
    if (e == 0)
        e = check_guards(s, err);
    if (e == 0)
        e = take_packages(s, err);
    return e < 0 || s->started == BACKEND_REMOTE ? e : connect_backend(s, err);
}

/* Another level than the one that was asked for: its policy instead. */
static int take_level(struct exec *s, struct error *err)
{
    struct compiled policy;
    if (s->judgement.level == (enum risk_level)s->policy.profile.risk_level || s->options.profile)
        return 0;
    int e = policy_load(&s->options, s->paths, s->policies, risk_level_names[s->judgement.level],
                        s->load.request.language, &policy, err);
    if (e < 0)
        return e;
    compiled_done(&s->policy);
    s->policy = policy;
    return 0;
}

/* A key of the service may be bound to levels; the level is known only now. */
static int check_levels(struct exec *s, struct error *err)
{
    enum risk_level level = (enum risk_level)s->policy.profile.risk_level;
    if (!s->levels || s->levels >> level & 1)
        return 0;
    s->judgement.rule = "key_levels";
    (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "the run's level is %s, and this key is not for it",
                  risk_level_names[level]);
    return err_remedy(err, "ask for another risk_level, or for a key that is bound to this one");
}

/* Of the operator's choice, and after it is known: never run here instead. A session's level was looked at when it
 * began. */
static int check_node(struct exec *s, struct error *err)
{
    const enum risk_level level = (enum risk_level)s->policy.profile.risk_level;
    if (s->policy.config.fleet.levels >> level & 1 || s->options.session == SESSION_JOB || remote_is_wanted(s))
        return 0;
    s->judgement.rule = RULE_NODE;
    (void)err_set(err, -EREMOTE, BLAME_HOST, "NODE", "the run's level is %s, and this node does not take it",
                  risk_level_names[level]);
    return err_remedy(err, "ask a node that does (sandbox-agent fleet status): the operator's setting is fleet.levels");
}

int exec_level_elsewhere(const struct exec *s)
{
    return s->error.code == -EREMOTE && s->judgement.rule && str_eq(s->judgement.rule, RULE_NODE)
               ? (int)s->policy.profile.risk_level
               : -1;
}

/* What a session has is its level's; what needs a stricter fence is for a run of its own, or another session. */
static int check_session(struct exec *s, struct error *err)
{
    const enum risk_level has = s->options.risk_level, needs = (enum risk_level)s->policy.profile.risk_level;
    if (!s->session_id || needs == has)
        return 0;
    s->judgement.rule = "session_level";
    (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "this job needs level %s, and session %s is at level %s",
                  risk_level_names[needs], s->session_id, risk_level_names[has]);
    return err_remedy(err, "run it outside of the session, or in one that was created with risk_level %s",
                      risk_level_names[needs]);
}

/* The limits are those of the level that the run gets in the end. A strict request wants all of it, or nothing. */
static int check_strict(struct exec *s, struct error *err)
{
    struct limits_clamped c;
    if (!s->options.strict_limits)
        return 0;
    policy_clamped(&s->options, &s->policy.profile, &c);
    if (!c.count)
        return 0;
    s->judgement.rule = "strict_limits";
    (void)field_refuse(s->options.words, err, -EINVAL, BLAME_CALLER, limit_field(c.list[0].kind), NULL,
                       "more than level %s gives (%s)", risk_level_names[s->policy.profile.risk_level],
                       limit_text(c.list[0].kind, c.list[0].granted).text);
    return err_remedy(err, "ask for less, for another level, or without strict_limits: then the level's limit holds");
}

/* Until the agent stands still: another of its runs may have been settled while we looked. */
static int decide(struct exec *s, bool reserves, struct error *err)
{
    struct judgement *j = &s->judgement;
    const struct run_request *r = &s->load.request;
    for (int tries = 0; tries < 20; tries++) {
        int e = judge_level(j, &s->options, &s->policy.config, r, s->asked, wall_clock_ms(), err);
        if (e == 0)
            e = take_level(s, err);
        if (e == 0)
            e = check_levels(s, err);
        if (e == 0)
            e = check_session(s, err);
        if (e == 0)
            e = check_node(s, err);
        if (e == 0)
            e = check_strict(s, err);
        if (e == 0)
            e = judge_permit(j, &s->policy.config, &s->policy.profile, r, err);
        if (e == 0 && (e = own_dirs_check(s->paths, &s->policy.config, &s->options, r, s->arena, err)) < 0)
            j->rule = "own_directories";
        if (e == 0 && reserves)
            e = judge_reserve(j, &s->policy.config, &s->policy.profile, r, wall_clock_ms(), err);
        if (e < 0 && judge_asks_again(j))
            continue;
        if (e <= 0)
            return e;
    }
    (void)err_set(err, -EAGAIN, BLAME_HOST, "LEDGER", "agent %s changed 20 times while its level was decided",
                  j->agent_id);
    return err_remedy(err, "run fewer of its programs at once, or try again");
}

static bool is_compiled_language(const struct exec *s)
{
    return s->load.request.language == LANG_GO || s->load.request.language == LANG_RUST;
}

/* Compile first; a source that does not compile is a run that ended with an error. */
static int try_binary(struct exec *s, struct binary *ret, struct error *err)
{
    return binary_get(&s->client, s->tag + 1, s->stream.stop, &s->policy, &s->load.request, s->id, s->paths->cache,
                      s->host->is_interactive, s->arena, &s->compiler_plan, ret, err);
}

static int get_binary(struct exec *s, struct binary *ret, struct error *err)
{
    int e = try_binary(s, ret, err);
    while (exec_reconnect(s, e, err)) {
        plan_done(&s->compiler_plan);
        e = try_binary(s, ret, err);
    }
    s->stream.caught = ret->caught;
    if (e < 0 || !ret->has_failed)
        return e;
    s->outcome = ret->outcome;
    s->has_outcome = true;
    s->stream.out[1].kept = ret->messages;
    if (s->stream.log >= 0 && ret->messages.size &&
        write(s->stream.log, ret->messages.data, ret->messages.size) != (ssize_t)ret->messages.size)
        s->stream.log_failed = true;
    if (!s->options.json)
        (void)write_all(STDERR_FILENO, ret->messages.data,
                        ret->messages.size); /* a user who closed it does not want it */
    if (s->stream.on_output && ret->messages.size)
        s->stream.on_output(s->stream.output_context, 1, ret->messages.data, ret->messages.size);
    return 0;
}

/* What is told before anything of the code is executed, the compiler included. */
static int begin(struct exec *s, struct error *err)
{
    struct judgement *j = &s->judgement;
    int e = trail_open(&s->trail, s->paths, &s->policy.config, s->arena, err);
    if (e == 0)
        e = judge_begin(j, &s->options, s->paths, &s->policy.config, &s->load.request, false, err);
    exec_mark(s, "AUDIT");
    if (e == 0 && s->host->opened)
        e = s->host->opened(s, err);
    if (e == 0)
        e = decide(s, true, err);
    exec_mark(s, "LEVEL");
    struct error later = { 0 };
    if (s->host->judged && s->host->judged(s, &later) < 0 && e == 0) {
        *err = later;
        e = later.code;
    }
    exec_mark(s, "LOG");
    return e;
}

/* Options that only mean something to a profile which watches, has a network, or lets files be written: never silently
 * nothing. */
static int check_meaning(const struct exec *s, struct error *err)
{
    if (s->options.network_learn && !s->plan.shape.is_brokered) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "--network-learn: the profile's network.mode is none");
        return err_remedy(err, "take risk level low, or a profile with network.mode: bridge");
    }
    if (s->options.allow.count && !s->plan.shape.is_brokered && s->load.request.backend == BACKEND_NATIVE) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "--allow %s: the profile's network.mode is none",
                      strlist_first(&s->options.allow));
        return err_remedy(err, "take risk level low, or a profile with network.mode: bridge");
    }
    const bool has_rules = s->options.no_network || s->options.allow.count || s->options.deny.count;
    if (has_rules && s->plan.is_container && s->plan.container.network) { /* accept_missing is no answer to a request */
        (void)err_set(err, -ENOTSUP, BLAME_CALLER, NULL,
                      "--no-network, --allow, --deny: the engine's bridge %s does not keep them",
                      s->plan.container.network);
        return err_remedy(err, "use --backend native, or a profile with network.mode: none");
    }
    if (s->options.record_events && !s->plan.job.wants_events) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "--record-events %s: the profile watches nothing",
                      s->options.record_events);
        return err_remedy(err, "switch on monitoring.*, kill_switches or logging.audit_syscalls in the profile");
    }
    if (s->options.output_dir && !s->plan.job.workspace) {
        (void)err_set(err, -EINVAL, BLAME_CALLER, NULL,
                      "--output-dir %s: the program may not write into a /workspace of its own", s->options.output_dir);
        return err_remedy(err, "take risk level low, or --volume DIR:/out:rw");
    }
    return 0;
}

static int build(struct exec *s, const struct binary *binary, struct error *err)
{
    const bool is_remote = s->load.request.backend == BACKEND_REMOTE;
    int e = is_remote ? remote_build(s, err)
                      : plan_build(&s->policy, &s->load.request, s->id, binary->size, s->arena, &s->plan, err);
    if (e == 0 && !is_remote)
        e = check_meaning(s, err);
    if (e == 0)
        plan_hash(&s->plan, s->judgement.plan_hash);
    s->plan.job.wants_timings = exec_is_debug(s) || exec_logs(s, LOG_TRACE);
    if (s->lender >= 0)
        s->tenant = arena_printf(s->arena, "command/%s", s->options.agent_id ? s->options.agent_id : "");
    s->plan.shape.tenant = s->tenant; /* behind the hash: the same plan for all */
    /* launch/slot.h; --debug is to show each step of a sandbox, and so gets none that is prepared */
    const bool is_shared = s->host->serves_others || (s->lender >= 0 && !exec_is_debug(s));
    s->plan.job.may_reuse = is_shared && s->options.session == SESSION_NONE;
    exec_mark(s, "PLAN");
    return e;
}

static int tell_decision(struct exec *s, struct error *err)
{
    int e = trail_decided(&s->trail, &s->judgement, &s->load.request, err);
    s->is_told = e == 0;
    return e;
}

/* The program of a session's sandbox is ours. */
static int open_steward(struct exec *s, struct binary *ret, struct error *err)
{
    struct stat st;
    const char *path = arena_printf(s->arena, "%s/sandbox-steward", s->paths->libexec);
    if (s->options.session != SESSION_OPENS)
        return 0;
    if (s->policy.profile.execution.shell_access == SHELL_NONE && landlock_abi() < LANDLOCK_KEEPS_SIGNALS) {
        (void)err_set(err, -ENOTSUP, BLAME_HOST, "SESSION",
                      "a session at level %s needs landlock ABI %u (Linux 6.12): without it and without /proc, what a "
                      "context leaves running could not be ended",
                      risk_level_names[s->policy.profile.risk_level], LANDLOCK_KEEPS_SIGNALS);
        return err_remedy(err, "use /execute");
    }
    ret->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (ret->fd < 0 || fstat(ret->fd, &st) < 0) {
        (void)err_set(err, -errno, BLAME_HOST, "SESSION", "%s: %m", path);
        return err_remedy(err, "the installation is incomplete: run `make install` again");
    }
    ret->size = (uint64_t)st.st_size;
    return 0;
}

/* Now that the level is decided: runs of some may be another machine's. */
static int choose_host(struct exec *s, struct error *err)
{
    if (remote_is_wanted(s))
        s->load.request.backend = BACKEND_REMOTE;
    return connect_backend(s, err);
}

static int launch(struct exec *s, struct error *err)
{
    struct binary binary = { .fd = -1 };
    s->timing.decided_us = clock_us();
    if (s->host->decided)
        s->host->decided(s, (enum risk_level)s->policy.profile.risk_level);
    int e = choose_host(s, err);
    const bool compiles = is_compiled_language(s) && s->load.request.backend != BACKEND_REMOTE;
    if (e == 0 && compiles)
        e = tell_decision(s, err);
    if (compiles)
        (void)trail_tick(&s->trail); /* compiling takes longer than the audit may wait */
    if (e == 0 && compiles)
        e = get_binary(s, &binary, err);
    if (e == 0)
        e = open_steward(s, &binary, err);
    if (e == 0 && !s->has_outcome)
        e = build(s, &binary, err);
    if (e == 0 && !compiles)
        e = tell_decision(s, err);
    if (e == 0 && !s->has_outcome) {
        event_log_started(&s->trail, &s->policy.config, s);
        e = exec_launch(s, binary.fd, err);
    }
    exec_mark(s, "OUTCOME");
    closep(&binary.fd);
    if (s->has_outcome)
        adopt_error(s);
    if (e == 0 && s->stream.write_errno)
        e = err_set(err, -s->stream.write_errno, BLAME_HOST, "STREAM", "output of the program is lost: %s",
                    strerror(s->stream.write_errno));
    return e;
}

/* The first failure is the one that is told. */
static void keep_first(int e, const struct error *later, struct error *err)
{
    if (e < 0 && !err->code)
        *err = *later;
}

/* For the agent's baseline; NULL: nothing of the run was seen. */
static const char *habits_of(struct exec *s)
{
    struct buf b;
    const struct habits *h = &s->stream.observe.habits;
    if (!s->has_outcome || !h->count)
        return NULL;
    buf_init(&b, STORE_MAX_HABITS);
    habits_print(h, &b);
    const char *text = b.failed ? NULL : arena_copy(s->arena, b.data);
    buf_done(&b);
    return text;
}

/* From outside: by its client, or with its session. */
static bool was_stopped(const struct exec *s)
{
    return s->stream.caught ||
           (s->session_id && s->has_outcome && s->outcome.reason == REASON_KILLED && !s->stream.observe.kill_switch);
}

static void finish(struct exec *s, struct error *err)
{
    struct judgement *j = &s->judgement;
    const struct outcome *o = s->has_outcome ? &s->outcome : NULL;
    struct error later = { 0 };
    uint64_t now_ms = wall_clock_ms();
    const struct intent intent = judge_intent(j);
    collect_violations(o, &s->stream, &intent, &s->violations);
    observe_missing(&s->stream.observe, &s->plan.notes);
    decoy_missing(&s->stream.decoy, &s->plan.notes);
    for (uint32_t i = 0; i < s->violations.count; i++)
        judge_add_violation(j, s->violations.list[i].type, s->violations.list[i].detail, s->violations.list[i].at_ms);
    j->habits = habits_of(s);
    j->bytes_in = s->stream.observe.bytes_in;
    j->bytes_out = s->stream.observe.bytes_out;
    j->has_uncounted = !plan_counts_bytes(&s->plan);
    keep_first(learn_outcome(j, &s->trail, &s->policy.config, o, was_stopped(s), now_ms, &later), &later, err);
    if (j->settled.is_late)
        (void)strlist_add(&s->plan.notes,
                          "store: it was away, and is told of this end later: its trust is not known yet");
    exec_mark(s, "SETTLED");
    const struct watched seen = { s->stream.observe.kill_switch, s->stream.observe.activity };
    int e = s->is_told ? trail_finished(&s->trail, j, &s->load.request, o, &seen, err, &later)
                       : trail_refused(&s->trail, j, &s->load.request, err, &later);
    keep_first(e, &later, err);
    s->is_learned = e == 0;
    keep_first(learn_tell(j, &s->trail, &s->policy.config, now_ms, &later), &later, err);
}

static void refuse(struct exec *s, const struct error *why)
{
    struct error later = { 0 };
    struct judgement *j = &s->judgement;
    uint64_t now_ms = wall_clock_ms();
    if (!s->trail.is_open)
        return;
    if (why->blame == BLAME_POLICY)
        (void)learn_refusal(j, &s->policy.config, (enum risk_level)s->policy.profile.risk_level, now_ms, &later);
    (void)trail_refused(&s->trail, j, &s->load.request, why, &later);
    (void)learn_tell(j, &s->trail, &s->policy.config, now_ms, &later);
    (void)keep_code(&s->keep, &s->trail, &s->policy.config, &s->load.request, s->id, s->arena);
    if (later.code)
        (void)fprintf(stderr, "sandbox-agent: the refusal could not be recorded: %s\n", later.text);
}

int exec_run(struct exec *s, struct error *err)
{
    int e = begin(s, err);
    if (e < 0 && !s->judgement.is_reserved) {
        refuse(s, err);
    } else {
        if (e == 0)
            e = launch(s, err);
        finish(s, err); /* what was booked is settled, also when it never came to a launch */
    }
    close_log(s);
    event_log_ended(&s->trail, &s->policy.config, s);
    s->timing.settled_us = clock_us();
    exec_mark(s, "LOGGED");
    return e;
}

int exec_look(struct exec *s, struct error *err)
{
    int e = s->has_policy ? 0 : exec_prepare(s, err);
    if (e == 0)
        e = judge_begin(&s->judgement, &s->options, s->paths, &s->policy.config, &s->load.request, true, err);
    if (e == 0)
        e = decide(s, false, err);
    /* a compiled language's binary is not made: its size is not part of what matters */
    if (e == 0)
        e = plan_build(&s->policy, &s->load.request, "dry-run", 0, s->arena, &s->plan, err);
    if (e == 0 && remote_is_wanted(s))
        e = strlist_addf(&s->plan.notes, "backend: the run goes to %s, which makes a plan of its own",
                         s->policy.config.sandbox.remote.address);
    return e < 0 ? e : check_meaning(s, err);
}

struct timing exec_timing(const struct exec *s)
{
    struct timing t = s->timing;
    t.scan_us = s->judgement.scan_us;
    t.scanned_us = s->judgement.scanned_us;
    if (!t.settled_us) /* it never came to a run */
        t.settled_us = clock_us();
    if (s->has_outcome)
        timing_outcome(&t, &s->outcome);
    return t;
}

void exec_result(const struct exec *s, struct result *ret)
{
    const struct judgement *j = &s->judgement;
    bool was_run = s->violations.count > 0;
    *ret = (struct result){
        .id = s->id,
        .trace_id = s->trail.trace_id,
        .session_id = s->session_id,
        .agent = s->options.agent_id,
        .language = s->options.has_language    ? language_names[s->options.language]
                    : s->options.command.count ? language_names[LANG_COMMAND]
                                               : NULL,
        .backend = backend_of(s->load.request.backend)->name,
        .level = s->has_policy          ? risk_level_names[s->policy.profile.risk_level]
                 : s->options.has_level ? risk_level_names[s->options.risk_level]
                                        : NULL,
        .outcome = s->has_outcome ? &s->outcome : NULL,
        .plan = s->plan.job.program            ? &s->plan
                : s->compiler_plan.job.program ? &s->compiler_plan
                                               : NULL,
        .error = &s->error,
        .stream = &s->stream,
        .violations = was_run ? s->violations.list : j->violations,
        .violation_count = was_run ? s->violations.count : j->violation_count,
        .reasons = &j->reasons,
        .scan = j->was_scanned ? &j->report : NULL,
        .trust = j->is_settled ? &j->settled : NULL,
        .retry_after_ms = j->retry_after_ms,
        .log_path = s->log.path,
        .log_failed = s->stream.log_failed,
        .record_failed = s->stream.observe.record_failed,
        .log_level = (uint8_t)exec_log_level(s),
        .kill_switch = s->stream.observe.kill_switch,
        .activity = s->stream.observe.activity,
        .bytes_in = s->stream.observe.bytes_in,
        .bytes_out = s->stream.observe.bytes_out,
        .learned = s->stream.observe.learn,
        .tells_violations = s->has_policy && s->policy.profile.logging.alert_on_violations,
    };
    ret->timing = exec_timing(s);
    if (s->has_policy)
        policy_clamped(&s->options, &s->policy.profile, &ret->clamped);
}

/* Asked for by --receipt; a service keeps one of each run whose artifacts it keeps. */
static void make_receipt(struct exec *s, struct buf *ret)
{
    struct error *err = &s->receipt_error;
    if (s->receipt < 0 && !(s->host->serves_others && s->keep.is_on && s->policy.config.security.receipts))
        return;
    int e = receipt_make(s, s->receipt < 0, ret, err);
    if (e < 0)
        buf_done(ret); /* half of one is none */
    if (e == 0 && s->receipt >= 0 && (e = write_all(s->receipt, ret->data, ret->size)) < 0)
        (void)err_set(err, e, BLAME_HOST, "RECEIPT", "the receipt could not be written: %s", strerror(-e));
    if (e < 0 && s->receipt < 0)
        (void)fprintf(stderr, "sandbox-agent: receipt of %s: %s\n", s->id, err->text);
}

bool exec_is_told(const struct exec *s)
{
    return s->is_learned && s->judgement.is_reserved && s->judgement.is_settled;
}

/* After the audit has its end: a run whose owner dies before this is recovered by what stands there. */
static void mark_told(struct exec *s)
{
    struct error err = { 0 };
    if (s->is_learned && learn_told(&s->judgement, &err) < 0)
        (void)fprintf(stderr, "sandbox-agent: %s: %s\n", s->id, err.text);
}

/* When the answer is out: what is kept of the run, and what is due once an hour. */
void exec_tidy(struct exec *s)
{
    struct buf receipt = { 0 };
    mark_told(s);
    if ((s->keeps_late || s->is_parked) && s->is_told)
        exec_keep(s);
    s->keep.copy_max = s->policy.profile.resources.storage;
    keep_end(&s->keep, s->has_outcome ? &s->stream : NULL, s->has_outcome ? &s->workspace : NULL);
    make_receipt(s, &receipt);
    keep_close(&s->keep, &receipt);
    buf_done(&receipt);
    workspace_done(&s->workspace); /* its memory is the sandbox's until then */
    if (s->host->tidied)
        s->host->tidied(s);
}

void exec_init(struct exec *s, const struct paths *p, struct arena *a)
{
    const uint64_t now_us = clock_us();
    s->host = &exec_one_shot;
    s->paths = p;
    s->arena = a;
    s->start_us = s->timing.received_us = now_us;
    s->id = exec_make_id(a);
    s->tag = 1;
    s->receipt = s->steward = s->lender = s->client.sock = s->load.stdin_fd = s->packages.fd = s->log.fd = -1;
    s->workspace.sock = s->workspace.dir = s->keep.copy_dir = -1;
    s->stream.out[0].pipe = s->stream.out[1].pipe = s->stream.reports.pipe = -1;
    s->stream.observe.sock = s->stream.observe.record = s->stream.decoy.inotify = -1;
    s->stream.log = s->stream.copy = s->stream.input = s->stream.input_pipe = -1;
    s->stream.stop = s->stream.sizes = s->stream.peer = -1;
    judge_init(&s->judgement, a, s->id);
}

void exec_done(struct exec *s)
{
    if (s->host->done)
        s->host->done(s);
    exec_close_streams(s);
    closep(&s->stream.copy);
    closep(&s->receipt);
    closep(&s->keep.copy_dir);
    closep(&s->packages.fd);
    closep(&s->steward);
    plan_done(&s->plan);
    plan_done(&s->compiler_plan);
    buf_done(&s->remote_body);
    judge_done(&s->judgement);
    trail_close(&s->trail);
    if (s->has_policy)
        compiled_done(&s->policy);
    load_done(&s->load);
    options_done(&s->options);
}
