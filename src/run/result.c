#include "run/result.h"

#include "base/json.h"
#include "base/io.h"
#include "scan/print.h"

int error_exit_code(const struct error *err)
{
    switch (err->blame) {
    case BLAME_CALLER:
        return 2;
    case BLAME_POLICY:
        return 123;
    case BLAME_GUEST:
        return err->code == -ENOENT ? 127 : 126;
    case BLAME_US:
    case BLAME_HOST:
        break;
    }
    return 125;
}

static bool has_error(const struct result *r)
{
    return r->error && r->error->code;
}

enum run_reason result_reason(const struct result *r)
{
    if (has_error(r))
        return r->error->blame == BLAME_POLICY ? REASON_POLICY_DENIED : REASON_SANDBOX_ERROR;
    return (enum run_reason)r->outcome->reason;
}

int result_exit_code(const struct result *r)
{
    if (has_error(r))
        return error_exit_code(r->error);
    const struct outcome *o = r->outcome;
    switch ((enum run_reason)o->reason) {
    case REASON_COMPLETED:
        return 0;
    case REASON_ERROR:
        return (int)o->exit_code;
    case REASON_SIGNAL:
        return 128 + (int)o->signal;
    case REASON_TIMEOUT:
        return 124;
    case REASON_POLICY_DENIED:
        return 123;
    case REASON_PIDS_LIMIT:
        return o->has_exit && o->exit_code ? (int)o->exit_code : 137;
    case REASON_OOM:
    case REASON_KILLED:
    case REASON_OUTPUT_LIMIT:
        return 137;
    case REASON_SANDBOX_ERROR:
    case REASON_COUNT:
        break;
    }
    return 125;
}

/* --- JSON ------------------------------------------------------------------------------------ */

/* fd -1: all of it stays in the buffer. */
static bool flush(struct buf *b, int fd)
{
    if (fd < 0)
        return !b->failed;
    if (write_all(fd, b->data, b->size) < 0)
        return false;
    b->size = 0;
    return !b->failed;
}

/* A piece of text that does not end within a UTF-8 sequence (unless the text does). */
static size_t whole_piece(const char *text, size_t left)
{
    size_t n = MIN_OF(left, (size_t)(64 * KIB));
    if (n == left)
        return n;
    for (size_t back = 1; back <= 3; back++) {
        unsigned char c = (unsigned char)text[n - back];
        if (c >= 0xC0)
            return n - back;
        if (c < 0x80)
            break;
    }
    return n;
}

static bool put_output(struct buf *b, int fd, const char *name, const struct stream *s, int which)
{
    const struct buf *kept = s ? &s->out[which].kept : NULL;
    bool ok = true;
    json_key(b, name);
    (void)buf_addc(b, '"');
    for (size_t done = 0; kept && done < kept->size && ok;) {
        size_t n = whole_piece(kept->data + done, kept->size - done);
        json_escape(b, kept->data + done, n);
        done += n;
        ok = flush(b, fd);
    }
    (void)buf_addc(b, '"');
    return ok;
}

static void put_violations(struct buf *b, const struct result *r)
{
    json_key(b, "violations");
    json_open(b, '[');
    for (uint32_t i = 0; i < r->violation_count; i++) {
        const struct violation *v = &r->violations[i];
        json_open(b, '{');
        json_key(b, "type"), json_put_string(b, v->type);
        json_key(b, "detail"), json_put_string(b, v->detail);
        json_key(b, "at_ms"), json_uint(b, v->at_ms);
        json_key(b, "severity"), json_put_string(b, severity_names[v->severity]);
        json_key(b, "class"), json_put_string(b, act_class_names[violation_class(v->type)]);
        json_close(b, '}');
    }
    json_close(b, ']');
}

static const char *cgroup_name(enum cgroup_kind k)
{
    return k == CGROUP_V2 ? "v2" : k == CGROUP_V1 ? "v1" : "none";
}

/* An engine's word is taken where its control groups cannot be seen; without limits no process measures in their place.
 */
static const char *enforcer(const struct outcome *o)
{
    if (o->cgroup != CGROUP_NONE)
        return "cgroup";
    return !o->engine ? "supervisor" : o->memory_bytes || o->cpu_milli || o->pids ? "engine" : "nobody";
}

static void put_limits(struct buf *b, const struct result *r)
{
    const struct outcome *o = r->outcome;
    const struct shape *s = r->plan ? &r->plan->shape : NULL;
    json_key(b, "limits");
    json_open(b, '{');
    json_key(b, "memory_bytes"), json_uint(b, o->memory_bytes);
    json_key(b, "cpu"), json_milli(b, o->cpu_milli);
    json_key(b, "pids"), json_uint(b, o->pids);
    json_key(b, "enforced_by"), json_put_string(b, enforcer(o));
    if (s) {
        json_key(b, "max_processes"), json_uint(b, s->max_processes);
        json_key(b, "open_files"), json_uint(b, s->nofile_soft);
        json_key(b, "file_size_bytes"), json_uint(b, s->fsize_bytes);
        json_key(b, "timeout_ms"), json_uint(b, r->plan->job.timeout_ms);
    }
    json_close(b, '}');
}

static void put_missing(struct buf *b, const struct result *r)
{
    json_key(b, "missing");
    json_open(b, '[');
    STRLIST_FOREACH(line, &r->outcome->missing)
    json_put_string(b, line);
    if (r->plan)
        STRLIST_FOREACH(line, &r->plan->notes)
    json_put_string(b, line);
    if (r->scan && !r->scan->has_syntax)
        json_put_string(b, "scan: by patterns only: this build has no grammar of the language");
    json_close(b, ']');
}

static const char *net_words(const struct plan *p)
{
    if (!p)
        return "none";
    if (p->is_container)
        return p->container.network ? "bridge" : p->shape.deny_tcp ? "none" : "loopback";
    return p->shape.is_brokered ? "bridge" : p->shape.loopback ? "loopback" : "none";
}

void result_put_isolation(const struct result *r, struct buf *b)
{
    const struct outcome *o = r->outcome;
    static const struct {
        const char *key;
        enum feature feature;
    } flags[] = {
        { "user_ns", FEATURE_USER_NS },     { "pid_ns", FEATURE_PID_NS },   { "mount_ns", FEATURE_MOUNT_NS },
        { "net_ns", FEATURE_NET_NS },       { "ipc_ns", FEATURE_IPC_NS },   { "uts_ns", FEATURE_UTS_NS },
        { "cgroup_ns", FEATURE_CGROUP_NS }, { "seccomp", FEATURE_SECCOMP }, { "no_new_privs", FEATURE_NO_NEW_PRIVS },
    };
    json_key(b, "isolation");
    if (o && o->isolation) {
        json_open(b, '{');
        (void)buf_adds(b, o->isolation);
        put_missing(b, r);
        json_close(b, '}');
        return;
    }
    if (!o || !o->features) {
        json_put_null(b);
        return;
    }
    json_open(b, '{');
    for (size_t i = 0; i < ARRAY_LEN(flags); i++)
        json_key(b, flags[i].key), json_bool(b, o->features >> flags[i].feature & 1);
    json_key(b, "prepared"), json_put_string(b, prepared_name((enum prepared)o->prepared));
    json_key(b, "net"), json_put_string(b, net_words(r->plan));
    json_key(b, "engine"), json_put_string(b, o->engine);
    json_key(b, "landlock"), json_uint(b, o->landlock_abi);
    json_key(b, "cgroup"), json_put_string(b, cgroup_name((enum cgroup_kind)o->cgroup));
    json_key(b, "apparmor");
    json_put_string(b, o->features >> FEATURE_APPARMOR & 1 && r->plan ? r->plan->shape.apparmor : NULL);
    json_key(b, "selinux");
    json_put_string(b, o->features >> FEATURE_SELINUX & 1 && r->plan ? r->plan->shape.selinux : NULL);
    json_key(b, "caps"), json_uint(b, r->plan ? r->plan->shape.keep_caps : 0);
    json_key(b, "uid");
    json_open(b, '{');
    json_key(b, "inside"), json_uint(b, r->plan ? r->plan->shape.uid : 0);
    json_key(b, "host");
    if (o->host_uid == UINT32_MAX)
        json_put_null(b);
    else
        json_uint(b, o->host_uid);
    json_close(b, '}');
    put_limits(b, r);
    put_missing(b, r);
    json_close(b, '}');
}

/* In the units of a request: seconds, bytes, cores. */
static void put_limit(struct buf *b, enum limit_kind k, uint64_t value)
{
    if (k == LIMIT_OF_MEMORY)
        json_uint(b, value);
    else
        json_milli(b, value);
}

static void put_clamped(struct buf *b, const struct limits_clamped *c)
{
    static const char *const names[LIMIT_KINDS] = { "timeout", "memory", "cpu" };
    if (!c->count)
        return;
    json_key(b, "limits_clamped");
    json_open(b, '[');
    for (uint32_t i = 0; i < c->count; i++) {
        json_open(b, '{');
        json_key(b, "field"), json_put_string(b, names[c->list[i].kind]);
        json_key(b, "requested"), put_limit(b, c->list[i].kind, c->list[i].requested);
        json_key(b, "granted"), put_limit(b, c->list[i].kind, c->list[i].granted);
        json_close(b, '}');
    }
    json_close(b, ']');
}

static void put_reasons(struct buf *b, const struct result *r)
{
    json_key(b, "reasons");
    json_open(b, '[');
    if (r->reasons)
        STRLIST_FOREACH(reason, r->reasons)
    json_put_string(b, reason);
    json_close(b, ']');
}

static void put_trust(struct buf *b, const struct result *r)
{
    json_key(b, "trust");
    if (!r->trust) {
        json_put_null(b);
        return;
    }
    json_open(b, '{');
    json_key(b, "before"), json_milli(b, r->trust->trust_before);
    json_key(b, "after"), json_milli(b, r->trust->trust_after);
    json_close(b, '}');
}

static void put_error(struct buf *b, const struct result *r)
{
    json_key(b, "error");
    if (!has_error(r)) {
        json_put_null(b);
        return;
    }
    json_open(b, '{');
    json_key(b, "code"), json_put_string(b, err_public_code(r->error));
    json_key(b, "message"), json_put_string(b, r->error->text);
    json_key(b, "step"), json_put_string(b, r->error->step[0] ? r->error->step : NULL);
    json_key(b, "remedy"), json_put_string(b, r->error->remedy[0] ? r->error->remedy : NULL);
    if (r->error->field[0])
        json_key(b, "field"), json_put_string(b, r->error->field);
    if (r->error->code == -ENOLINK) /* of a fleet's node: daemon/orphans.c */
        json_key(b, "retryable"), json_bool(b, true);
    if (r->retry_after_ms)
        json_key(b, "retry_after_seconds"), json_uint(b, (r->retry_after_ms + 999) / 1000);
    json_close(b, '}');
}

void result_put_evidence(const struct result *r, struct buf *b)
{
    result_put_isolation(r, b);
    put_violations(b, r);
    scan_findings_member(r->scan, b);
    put_error(b, r);
}

void result_put_exit(const struct outcome *o, struct buf *b)
{
    json_key(b, "exit_code");
    if (o && o->has_exit)
        json_uint(b, o->exit_code);
    else
        json_put_null(b);
    json_key(b, "signal");
    if (o && o->has_signal)
        json_uint(b, o->signal);
    else
        json_put_null(b);
}

static void put_head(const struct result *r, struct buf *b)
{
    json_open(b, '{');
    json_key(b, "execution_id"), json_put_string(b, r->id);
    if (r->trace_id)
        json_key(b, "trace_id"), json_put_string(b, r->trace_id);
    if (r->session_id)
        json_key(b, "session_id"), json_put_string(b, r->session_id);
    json_key(b, "agent_id"), json_put_string(b, r->agent);
    json_key(b, "language"), json_put_string(b, r->language);
    json_key(b, "risk_level"), json_put_string(b, r->level);
    json_key(b, "backend"), json_put_string(b, r->backend);
    json_key(b, "reason"), json_put_string(b, reason_name(result_reason(r)));
    result_put_exit(r->outcome, b);
}

/* --network-learn: as a profile takes it */
static void put_learned(struct buf *b, const struct result *r)
{
    if (!r->learned)
        return;
    cleanup(buf_done) struct buf yaml;
    buf_init(&yaml, 64 * KIB);
    net_learn_print(r->learned, &yaml);
    json_key(b, "network_learned"), json_put_string(b, yaml.failed || !yaml.data ? "" : yaml.data);
}

/* Zeros would say that there was nothing. */
static void put_traffic(const struct result *r, struct buf *b)
{
    const bool is_known = !r->plan || plan_counts_bytes(r->plan);
    const struct {
        const char *key;
        uint64_t bytes;
    } both[] = { { "bytes_in", r->bytes_in }, { "bytes_out", r->bytes_out } };
    for (size_t i = 0; i < ARRAY_LEN(both); i++) {
        json_key(b, both[i].key);
        if (is_known)
            json_uint(b, both[i].bytes);
        else
            json_put_null(b);
    }
}

/* What a cell answered, which is JSON already. */
static void put_cell(struct buf *b, const struct result *r)
{
    if (!r->results)
        return;
    json_key(b, "results");
    (void)(r->results->size ? buf_add(b, r->results->data, r->results->size) : buf_adds(b, "[]"));
    json_key(b, "exception");
    (void)(r->exception->size ? buf_add(b, r->exception->data, r->exception->size) : buf_adds(b, "null"));
}

static void put_tail(const struct result *r, struct buf *b)
{
    const struct outcome *o = r->outcome;
    json_key(b, "stdout_truncated"), json_bool(b, r->stream && r->stream->out[0].is_truncated);
    json_key(b, "stderr_truncated"), json_bool(b, r->stream && r->stream->out[1].is_truncated);
    json_key(b, "duration_ms"), json_milli(b, o ? o->duration_us : 0);
    json_key(b, "timing"), timing_json(&r->timing, b);
    json_key(b, "cpu_ms"), json_milli(b, o ? o->cpu_us : 0);
    json_key(b, "peak_memory_bytes"), json_uint(b, o ? o->peak_memory_bytes : 0);
    json_key(b, "memory_mib_seconds"), json_milli(b, o ? o->memory_mib_ms : 0);
    put_traffic(r, b);
    put_violations(b, r);
    json_key(b, "kill_switch"), json_put_string(b, r->kill_switch);
    put_reasons(b, r);
    scan_findings_member(r->scan, b);
    scan_needs_member(r->scan, b);
    put_trust(b, r);
    result_put_isolation(r, b);
    put_clamped(b, &r->clamped);
    json_key(b, "activity");
    if (r->activity)
        activity_print(r->activity, UINT32_MAX, b);
    else
        json_put_null(b);
    put_learned(b, r);
    json_key(b, "log");
    if (r->log_path) {
        json_open(b, '{');
        json_key(b, "path"), json_put_string(b, r->log_path);
        json_key(b, "complete"), json_bool(b, !r->log_failed);
        json_close(b, '}');
    } else {
        json_put_null(b);
    }
    put_error(b, r);
    put_cell(b, r);
    json_close(b, '}');
    (void)buf_addc(b, '\n');
}

static bool put_all(const struct result *r, struct buf *b, int fd)
{
    put_head(r, b);
    bool ok = put_output(b, fd, "stdout", r->stream, 0) && put_output(b, fd, "stderr", r->stream, 1);
    put_tail(r, b);
    return flush(b, fd) && ok;
}

bool result_print_json(const struct result *r, int fd)
{
    struct buf b;
    buf_init(&b, MIB);
    bool ok = put_all(r, &b, fd);
    buf_done(&b);
    return ok;
}

bool result_text_make(const struct result *r, struct result_text *ret)
{
    *ret = (struct result_text){ 0 };
    buf_init(&ret->head, MIB);
    buf_init(&ret->tail, MIB + (r->results ? r->results->size + r->exception->size : 0));
    put_head(r, &ret->head);
    json_key(&ret->head, "stdout");
    (void)buf_addc(&ret->head, '"');
    (void)buf_addc(&ret->tail, '"'); /* of stderr */
    put_tail(r, &ret->tail);
    if (ret->tail.size && ret->tail.data[ret->tail.size - 1] == '\n')
        ret->tail.data[--ret->tail.size] = '\0';
    for (int i = 0; r->stream && i < 2; i++)
        ret->out[i] = r->stream->out[i].kept;
    buf_trim(&ret->head);
    buf_trim(&ret->tail);
    return !ret->head.failed && !ret->tail.failed;
}

void result_text_done(struct result_text *t)
{
    buf_done(&t->head);
    buf_done(&t->out[0]);
    buf_done(&t->out[1]);
    buf_done(&t->tail);
}

#define BETWEEN "\",\"stderr\":\""

size_t result_text_size(const struct result_text *t)
{
    return t->head.size + t->tail.size + strlen(BETWEEN) + json_escaped_size(t->out[0].data, t->out[0].size) +
           json_escaped_size(t->out[1].data, t->out[1].size);
}

size_t result_text_weight(const struct result_text *t)
{
    return t->head.cap + t->out[0].cap + t->out[1].cap + t->tail.cap;
}

/* False: the part has ended. */
static bool read_output(struct result_reader *r, const struct buf *from, struct buf *to)
{
    if (r->at == from->size)
        return false;
    size_t n = whole_piece(from->data + r->at, from->size - r->at);
    json_escape(to, from->data + r->at, n);
    r->at += n;
    return true;
}

bool result_read(struct result_reader *r, struct buf *to)
{
    const struct result_text *t = r->text;
    switch (r->part) {
    case 0:
        (void)buf_add(to, t->head.data, t->head.size);
        break;
    case 1:
    case 3:
        if (read_output(r, &t->out[r->part / 2], to))
            return true;
        if (r->part == 1)
            (void)buf_adds(to, BETWEEN);
        break;
    case 2:
        break;
    case 4:
        (void)buf_add(to, t->tail.data, t->tail.size);
        break;
    default:
        return false;
    }
    r->part++;
    r->at = 0;
    return true;
}

bool result_json(const struct result *r, struct buf *out)
{
    return put_all(r, out, -1);
}

/* --- words ------------------------------------------------------------------------------------ */

void error_print(const struct error *err, struct buf *out)
{
    (void)buf_adds(out, "sandbox-agent: ");
    if (err->step[0])
        (void)buf_addf(out, "step %s: ", err->step);
    (void)buf_adds_clean(out, err->text);
    (void)buf_addc(out, '\n');
    if (err->remedy[0]) {
        (void)buf_adds(out, "  remedy: ");
        (void)buf_adds_clean(out, err->remedy);
        (void)buf_addc(out, '\n');
    }
}

/* What is of low severity (output that was cut) has its own words below. */
static void print_violations(const struct result *r, struct buf *out)
{
    for (uint32_t i = 0; i < r->violation_count; i++) {
        const struct violation *v = &r->violations[i];
        if (v->severity >= SEVERITY_MEDIUM)
            (void)buf_addf(out, "sandbox-agent: %s: %s%s %s\n", act_class_names[violation_class(v->type)], v->type,
                           strchr(v->detail, ' ') ? "," : "", v->detail);
    }
}

/* Of a known agent whose level is not simply that of its trust: why. With log level debug, always. */
static void print_reasons(const struct result *r, struct buf *out)
{
    const uint32_t usual = 2; /* trust, scan */
    bool is_told = r->reasons &&
                   (r->log_level <= LOG_DEBUG || (r->agent && r->reasons->count > usual && r->log_level <= LOG_INFO));
    if (!is_told)
        return;
    (void)buf_addf(out, "sandbox-agent: level %s: ", r->level);
    const char *separator = "";
    STRLIST_FOREACH(reason, r->reasons)
    {
        (void)buf_adds(out, separator);
        (void)buf_adds_clean(out, reason);
        separator = "; ";
    }
    (void)buf_addc(out, '\n');
}

static void print_kill(const struct result *r, struct buf *out)
{
    (void)buf_addf(out, "sandbox-agent: ended by the kill switch %s", r->kill_switch);
    for (uint32_t i = 0; i < r->violation_count; i++)
        if (str_eq(r->violations[i].type, r->kill_switch)) {
            (void)buf_adds(out, ": ");
            (void)buf_adds_clean(out, r->violations[i].detail);
            break;
        }
    (void)buf_addc(out, '\n');
}

/* On stdout nothing but the program's: so here, as a profile takes it. */
static void print_learned(const struct result *r, struct buf *out)
{
    if (!r->learned)
        return;
    (void)buf_adds(out, "sandbox-agent: what was connected to, for the profile's network section:\n");
    net_learn_print(r->learned, out);
}

/* What a backend could not tidy up is a person's business, whatever the program's end was. */
static void print_leftovers(const struct result *r, struct buf *out)
{
    STRLIST_FOREACH(line, &r->outcome->missing)
    if (str_starts(line, "cleanup: "))
        (void)buf_addf(out, "sandbox-agent: %s\n", line);
}

void result_print_words(const struct result *r, struct buf *out)
{
    const struct outcome *o = r->outcome;
    if (has_error(r)) {
        error_print(r->error, out);
        print_reasons(r, out);
        return;
    }
    print_reasons(r, out);
    print_leftovers(r, out);
    print_learned(r, out);
    if (r->tells_violations)
        print_violations(r, out);
    if (r->log_level > LOG_WARN)
        return;
    const struct plan *p = r->plan;
    switch ((enum run_reason)o->reason) {
    case REASON_TIMEOUT:
        (void)buf_addf(out, "sandbox-agent: ended at the deadline of %llu.%03llu s (--timeout)\n",
                       (unsigned long long)(p->job.timeout_ms / 1000), (unsigned long long)(p->job.timeout_ms % 1000));
        break;
    case REASON_OOM:
        (void)buf_addf(out, "sandbox-agent: out of memory: the limit is %llu MiB (--memory)\n",
                       (unsigned long long)(p->shape.memory_bytes >> 20));
        break;
    case REASON_PIDS_LIMIT:
        (void)buf_addf(out, "sandbox-agent: the limit of %u tasks was hit (resources.pids)\n", p->shape.pids);
        break;
    case REASON_OUTPUT_LIMIT:
        (void)buf_addf(out, "sandbox-agent: ended for endless output (execution.max_output)\n");
        break;
    case REASON_KILLED:
        if (r->kill_switch)
            print_kill(r, out);
        else
            (void)buf_adds(out, "sandbox-agent: the run was ended from outside\n");
        break;
    default:
        break;
    }
    for (int i = 0; r->stream && i < 2; i++)
        if (r->stream->out[i].is_truncated)
            (void)buf_addf(out, "sandbox-agent: %s was cut after %llu bytes (execution.max_output)\n",
                           i ? "stderr" : "stdout", (unsigned long long)r->stream->out[i].max_bytes);
    if (r->log_failed)
        (void)buf_adds(out, "sandbox-agent: the log could not take everything: disk full?\n");
    if (r->record_failed)
        (void)buf_adds(out, "sandbox-agent: the recording of events could not take everything: disk full?\n");
}
