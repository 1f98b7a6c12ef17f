#include "run/receipt.h"

#include <pthread.h>
#include <stdio.h>
#include "audit/dsse.h"
#include "audit/line.h"
#include "audit/manifest.h"
#include "audit/seal.h"
#include "base/json.h"
#include "watch/activity.h"

#define ACTIVITY_ITEMS 24u /* of each list, as in the audit; the result has them all */
#define BODY_MAX_BYTES MIB

/* The last policies and their hashes. A service has few, and hashing 10 KiB costs more than the rest of the statement.
 */
static struct {
    pthread_mutex_t lock;
    size_t next;
    struct {
        struct buf bytes;
        char hash[65];
    } kept[4];
} memo = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* Takes b. */
static void hash_of_bytes(struct buf *b, char out[static 65])
{
    (void)pthread_mutex_lock(&memo.lock);
    size_t i = 0;
    while (i < ARRAY_LEN(memo.kept) &&
           (memo.kept[i].bytes.size != b->size || memcmp(memo.kept[i].bytes.data, b->data, b->size) != 0))
        i++;
    if (i == ARRAY_LEN(memo.kept)) {
        i = memo.next++ % ARRAY_LEN(memo.kept);
        buf_done(&memo.kept[i].bytes);
        memo.kept[i].bytes = *b;
        *b = (struct buf){ 0 };
        audit_hash(memo.kept[i].bytes.data, memo.kept[i].bytes.size, memo.kept[i].hash);
    }
    memcpy(out, memo.kept[i].hash, sizeof memo.kept[i].hash);
    (void)pthread_mutex_unlock(&memo.lock);
    buf_done(b);
}

void receipt_policy_hash(const struct compiled *policy, char out[static 65])
{
    struct buf b;
    buf_init(&b, MIB);
    settings_pack(profile_settings, &policy->profile, &b);
    pack_bytes(&b, policy->filter); /* the asking ones follow from it and the profile */
    hash_of_bytes(&b, out);
}

static void put_text(struct buf *b, const char *key, const char *value)
{
    json_key(b, key);
    json_put_string(b, value);
}

static void put_number(struct buf *b, const char *key, uint64_t value)
{
    json_key(b, key);
    json_uint(b, value);
}

/* --- subjects ------------------------------------------------------------------------------------- */

static void put_digest(struct buf *b, const char *hash)
{
    json_key(b, "digest");
    json_open(b, '{');
    put_text(b, "sha256", hash);
    json_close(b, '}');
    json_close(b, '}');
}

static void put_subject(struct buf *b, const char *name, const char *hash)
{
    json_open(b, '{');
    put_text(b, "name", name);
    put_digest(b, hash);
}

/* An artifact is called as everywhere: ROLE/NAME. Its texts are escaped already. */
static bool put_artifact(void *context, const struct manifest_entry *x)
{
    struct buf *b = context;
    char hash[65];
    if (slice_is(x->role, "code") || x->hash.size != 64)
        return true; /* the first subject; or left out, which `capture` says */
    memcpy(hash, x->hash.p, 64);
    hash[64] = '\0';
    json_open(b, '{');
    json_key(b, "name");
    (void)buf_addf(b, "\"%.*s/", (int)x->role.size, x->role.p);
    (void)buf_add(b, x->name.p, x->name.size);
    (void)buf_addc(b, '"');
    put_digest(b, hash);
    return true;
}

static void put_subjects(const struct exec *s, struct buf *b)
{
    json_key(b, "subject");
    json_open(b, '[');
    put_subject(b, "code", s->judgement.code_hash);
    if (s->keep.is_on)
        manifest_each(s->keep.store.manifest->data, s->keep.store.manifest->size, put_artifact, b);
    json_close(b, ']');
}

/* --- the predicate -------------------------------------------------------------------------------- */

static void put_run(const struct exec *s, const struct result *r, struct buf *b)
{
    put_text(b, "execution_id", s->id);
    put_text(b, "agent_id", s->judgement.agent_id);
    put_text(b, "language", r->language);
    put_text(b, "backend", r->backend);
    if (r->trace_id)
        put_text(b, "trace_id", r->trace_id);
}

static void put_policy(const struct exec *s, struct buf *b)
{
    const size_t level = s->policy.profile.risk_level;
    const struct compiled *shared = s->policies && level < RISK_COUNT ? &s->policies->level[level] : NULL;
    char hash[65];
    /* fast path: nothing of the request's is laid over what the service has for all */
    const bool is_shared = shared && shared->filter.data == s->policy.filter.data &&
                           memcmp(&shared->profile, &s->policy.profile, sizeof shared->profile) == 0;
    if (!is_shared)
        receipt_policy_hash(&s->policy, hash);
    put_text(b, "policy_hash", is_shared ? s->policies->hash[level] : hash);
    put_text(b, "profile", s->policy.profile.name);
    put_text(b, "plan_hash", s->judgement.plan_hash[0] ? s->judgement.plan_hash : NULL);
}

static void put_verdict(const struct exec *s, const struct result *r, struct buf *b)
{
    const bool was_refused = !s->has_outcome && r->error->blame == BLAME_POLICY;
    json_key(b, "verdict");
    json_open(b, '{');
    put_text(b, "decision", was_refused ? "refused" : s->is_told || s->has_outcome ? "allowed" : "failed");
    put_text(b, "risk_level", r->level);
    put_text(b, "rule", s->judgement.rule);
    json_key(b, "reasons");
    json_texts(b, &s->judgement.reasons);
    json_close(b, '}');
}

static void put_end(const struct result *r, struct buf *b)
{
    json_key(b, "end");
    json_open(b, '{');
    put_text(b, "reason", reason_name(result_reason(r)));
    result_put_exit(r->outcome, b);
    put_text(b, "kill_switch", r->kill_switch);
    json_close(b, '}');
}

/* Null where a run was handed over and nothing more is known: zeros would say that it used nothing. */
static void put_usage(const struct exec *s, const struct outcome *o, struct buf *b)
{
    json_key(b, "usage");
    if (!o && s->is_told) {
        json_put_null(b);
        return;
    }
    json_open(b, '{');
    put_number(b, "duration_us", o ? o->duration_us : 0);
    put_number(b, "cpu_us", o ? o->cpu_us : 0);
    put_number(b, "peak_memory_bytes", o ? o->peak_memory_bytes : 0);
    put_number(b, "memory_mib_ms", o ? o->memory_mib_ms : 0);
    if (plan_counts_bytes(&s->plan)) {
        put_number(b, "bytes_in", s->stream.observe.bytes_in);
        put_number(b, "bytes_out", s->stream.observe.bytes_out);
    } else {
        json_key(b, "bytes_in"), json_put_null(b);
        json_key(b, "bytes_out"), json_put_null(b);
    }
    json_close(b, '}');
}

/* --- the capture manifest --------------------------------------------------------------------------- */

static void put_unseen(struct buf *b, const char *what, const char *why)
{
    json_open(b, '{');
    put_text(b, "what", what);
    put_text(b, "why", why);
    json_close(b, '}');
}

static bool put_left_out(void *context, const struct manifest_entry *x)
{
    struct buf *b = context;
    if (!x->left_out.p)
        return true;
    json_open(b, '{');
    json_key(b, "what");
    (void)buf_addf(b, "\"%.*s/%.*s\"", (int)x->role.size, x->role.p, (int)x->name.size, x->name.p);
    json_key(b, "why");
    (void)buf_addf(b, "\"%.*s\"", (int)x->left_out.size, x->left_out.p);
    json_close(b, '}');
    return true;
}

/* What the watch can see, and the profile's switch for it. */
struct view {
    const char *what, *key;
    bool is_on;
};

/* Of a run that was handed over and whose launcher died, nothing is known: it may have done anything. */
static const char *why_unseen(const struct exec *s)
{
    if (s->has_outcome && s->outcome.features)
        return "not in force: see isolation.missing";
    return s->has_outcome || !s->is_told ? "nothing was started" : "it was handed over, and nothing more is known";
}

static void put_views(const struct exec *s, bool is_watched, bool wants_seen, struct buf *b)
{
    const struct profile *p = &s->policy.profile;
    const struct view views[] = {
        { "system calls", "monitoring.syscall_monitoring", p->monitoring.syscall_monitoring },
        { "network", "monitoring.network_attempt_detection", p->monitoring.network_attempt_detection },
        { "privileges", "monitoring.privilege_escalation_detection", p->monitoring.privilege_escalation_detection },
        { "files", "monitoring.file_access_monitoring", p->monitoring.file_access_monitoring },
        { "activity", "logging.audit_syscalls", p->logging.audit_syscalls },
    };
    for (size_t i = 0; i < ARRAY_LEN(views); i++) {
        if ((views[i].is_on && is_watched) != wants_seen)
            continue;
        if (wants_seen) {
            json_put_string(b, views[i].what);
            continue;
        }
        char off[120];
        (void)snprintf(off, sizeof off, "%s is off in the profile", views[i].key);
        put_unseen(b, views[i].what, views[i].is_on ? why_unseen(s) : off);
    }
}

static void put_observed(const struct exec *s, bool is_watched, struct buf *b)
{
    json_key(b, "observed");
    json_open(b, '[');
    if (s->judgement.was_scanned)
        json_put_string(b, "code");
    if (s->has_outcome) {
        json_put_string(b, "end");
        json_put_string(b, "usage");
    }
    for (size_t i = 0; i < 2 && s->has_outcome; i++)
        if (!s->stream.out[i].is_truncated)
            json_put_string(b, i ? "stderr" : "stdout");
    if (s->has_outcome && s->keep.is_on && s->workspace.sock >= 0)
        json_put_string(b, "workspace");
    put_views(s, is_watched, true, b);
    json_close(b, ']');
}

static void put_not_observed(const struct exec *s, bool is_watched, struct buf *b)
{
    json_key(b, "not_observed");
    json_open(b, '[');
    if (!s->judgement.was_scanned)
        put_unseen(b, "code", "it was not scanned");
    else if (!s->judgement.report.has_syntax)
        put_unseen(b, "syntax of the code", "this build has no grammar of the language: scanned by patterns only");
    if (!s->has_outcome)
        put_unseen(b, "end", why_unseen(s));
    for (size_t i = 0; i < 2 && s->has_outcome; i++)
        if (s->stream.out[i].is_truncated)
            put_unseen(b, i ? "stderr" : "stdout", "cut: execution.max_output");
    if (!s->keep.is_on)
        put_unseen(b, "artifacts", "security.store_artifacts.enabled is off, or they could not be kept");
    else
        manifest_each(s->keep.store.manifest->data, s->keep.store.manifest->size, put_left_out, b);
    put_views(s, is_watched, false, b);
    if (s->stream.observe.lost)
        put_unseen(b, "events", "some were lost: more came than were read");
    put_unseen(b, "system calls that the profile's filter decides alone", "the kernel answers them without a question");
    json_close(b, ']');
}

static void put_capture(const struct exec *s, struct buf *b)
{
    const bool is_watched = s->has_outcome && s->plan.job.wants_events &&
                            s->outcome.features >> FEATURE_MONITORING & 1; /* not what was wished, what was */
    json_key(b, "capture");
    json_open(b, '{');
    put_observed(s, is_watched, b);
    put_not_observed(s, is_watched, b);
    json_close(b, '}');
}

/* --- the statement -------------------------------------------------------------------------------- */

/* signed_at: of a sealed one, since when it cannot be changed any more. */
static void put_observer(const struct audit_head *head, struct buf *b)
{
    char stamp[AUDIT_TIME_SIZE];
    audit_time_write(wall_clock_ms(), stamp);
    put_text(b, "signed_at", stamp);
    json_key(b, "observer");
    json_open(b, '{');
    put_text(b, "name", "sandbox-agent");
    put_text(b, "version", VERSION);
    json_close(b, '}');
    json_key(b, "audit"); /* the chain as it was then: it has the run's lines */
    json_open(b, '{');
    put_number(b, "sequence", head->sequence);
    put_text(b, "hash", head->hash);
    json_close(b, '}');
}

static void put_statement(const struct exec *s, const struct audit_head *head, struct buf *b)
{
    struct result r;
    exec_result(s, &r);
    json_open(b, '{');
    put_text(b, "_type", RECEIPT_STATEMENT_TYPE);
    put_subjects(s, b);
    put_text(b, "predicateType", RECEIPT_PREDICATE_TYPE);
    json_key(b, "predicate");
    json_open(b, '{');
    put_run(s, &r, b);
    put_policy(s, b);
    put_verdict(s, &r, b);
    put_end(&r, b);
    result_put_evidence(&r, b);
    put_usage(s, r.outcome, b);
    json_key(b, "activity");
    if (r.activity)
        activity_print(r.activity, ACTIVITY_ITEMS, b);
    else
        json_put_null(b);
    put_capture(s, b);
    put_observer(head, b);
    json_close(b, '}');
    json_close(b, '}');
}

int receipt_make(struct exec *s, bool is_sealed, struct buf *out, struct error *err)
{
    struct audit_key key;
    struct audit_head head;
    struct buf body;
    if (!s->has_policy || !s->trail.is_open || !s->judgement.code_hash[0])
        return err_set(err, -ENODATA, BLAME_CALLER, "RECEIPT", "nothing was decided that a receipt could speak of");
    int e = trail_key(&s->trail, &key, &head, err);
    if (e < 0)
        return e;
    buf_init(&body, BODY_MAX_BYTES);
    buf_init(out, RECEIPT_MAX_BYTES);
    put_statement(s, &head, &body);
    if (!body.failed)
        (is_sealed ? seal_write : dsse_sign)(&key, RECEIPT_PAYLOAD_TYPE, body.data, body.size, out);
    key_done(&key);
    if (body.failed || out->failed)
        e = err_set(err, -EMSGSIZE, BLAME_US, "RECEIPT", "the receipt is larger than it may be");
    buf_done(&body);
    return e;
}
