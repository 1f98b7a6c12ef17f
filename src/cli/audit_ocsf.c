#include "cli/audit_ocsf.h"

#include "base/json.h"
#include "base/severity.h"

#define OCSF_VERSION "1.3.0"

enum ocsf_class { CLASS_BASE = 0, CLASS_PROCESS = 1007, CLASS_FINDING = 2004, CLASS_ENTITY = 3004 };

enum ocsf_activity {
    ACTIVITY_LAUNCH = 1, /* of a process */
    ACTIVITY_TERMINATE = 2,
    ACTIVITY_CREATE = 1, /* of a finding and of an entity */
    ACTIVITY_UPDATE = 3, /* of an entity */
    ACTIVITY_DELETE = 4,
    ACTIVITY_OTHER = 99,
};

enum ocsf_control { NO_CONTROL, ALLOWED, DENIED };

struct mapping {
    const char *action;
    uint16_t class;
    uint8_t activity, control;
    const char *entity; /* what kind of entity */
};

/* Begins with the action that it is for. The last is for all others. */
static const struct mapping mappings[] = {
    { "execution-decided", CLASS_PROCESS, ACTIVITY_LAUNCH, ALLOWED, NULL },
    { "execution-refused", CLASS_PROCESS, ACTIVITY_LAUNCH, DENIED, NULL },
    { "execution-finished", CLASS_PROCESS, ACTIVITY_TERMINATE, NO_CONTROL, NULL },
    { "execution-recovered", CLASS_PROCESS, ACTIVITY_TERMINATE, NO_CONTROL, NULL },
    { "agent-quarantined", CLASS_FINDING, ACTIVITY_CREATE, NO_CONTROL, NULL },
    { "agent-banned", CLASS_FINDING, ACTIVITY_CREATE, NO_CONTROL, NULL },
    { "agent-first-time", CLASS_FINDING, ACTIVITY_CREATE, NO_CONTROL, NULL },
    { "alert-raised", CLASS_FINDING, ACTIVITY_CREATE, NO_CONTROL, NULL },
    { "agent-released", CLASS_ENTITY, ACTIVITY_UPDATE, NO_CONTROL, "agent" },
    { "agent-trust-set", CLASS_ENTITY, ACTIVITY_UPDATE, NO_CONTROL, "agent" },
    { "agent-key-registered", CLASS_ENTITY, ACTIVITY_UPDATE, NO_CONTROL, "agent" },
    { "agent-key-removed", CLASS_ENTITY, ACTIVITY_UPDATE, NO_CONTROL, "agent" },
    { "key-created", CLASS_ENTITY, ACTIVITY_CREATE, NO_CONTROL, "key" },
    { "key-revoked", CLASS_ENTITY, ACTIVITY_DELETE, NO_CONTROL, "key" },
    { NULL, CLASS_BASE, ACTIVITY_OTHER, NO_CONTROL, NULL },
};

static const struct mapping *mapping_of(struct slice action)
{
    const struct mapping *m = mappings;
    while (m->action && !slice_is(action, m->action))
        m++;
    return m;
}

/* What the audit's own commands do not need. */
struct more {
    struct slice version, hostname, user_id, user_name, key_id, hash;
    uint64_t exit_code, duration_ns;
};
static const struct member more_members[] = {
    MEMBER("process.exit_code", MEMBER_NUMBER, struct more, exit_code), /* the first two: see below */
    MEMBER("event.duration", MEMBER_NUMBER, struct more, duration_ns),
    MEMBER("service.version", MEMBER_TEXT, struct more, version),
    MEMBER("host.hostname", MEMBER_TEXT, struct more, hostname),
    MEMBER("user.id", MEMBER_TEXT, struct more, user_id),
    MEMBER("user.name", MEMBER_TEXT, struct more, user_name),
    MEMBER("agentsandbox.key.id", MEMBER_TEXT, struct more, key_id),
    MEMBER("event.hash", MEMBER_TEXT, struct more, hash),
};
enum { HAS_EXIT = 1u << 0, HAS_DURATION = 1u << 1 };

/* A slice is escaped already: the writer's form is JSON's. */
static void put(struct buf *b, const char *key, struct slice s)
{
    if (!s.p)
        return;
    json_key(b, key);
    (void)buf_addc(b, '"');
    (void)buf_add(b, s.p, s.size);
    (void)buf_addc(b, '"');
}

static void put_uint(struct buf *b, const char *key, uint64_t v)
{
    json_key(b, key);
    json_uint(b, v);
}

static void put_word(struct buf *b, const char *key, const char *word)
{
    json_key(b, key);
    json_put_string(b, word);
}

static void begin(struct buf *b, const char *key)
{
    json_key(b, key);
    json_open(b, '{');
}

static void end(struct buf *b)
{
    json_close(b, '}');
}

/* OCSF: 1 informational, 2 low, 3 medium, 4 high, 5 critical. */
static unsigned severity_of(const struct audit_line *l)
{
    static const enum severity named[] = { SEVERITY_LOW, SEVERITY_MEDIUM, SEVERITY_HIGH, SEVERITY_CRITICAL };
    for (unsigned i = 0; slice_is(l->action, "agent-first-time") && i < ARRAY_LEN(named); i++)
        if (slice_is(l->reason, severity_names[named[i]]))
            return i + 2;
    if (slice_is(l->kind, "alert"))
        return 4;
    return slice_is(l->outcome, "failure") ? 2 : 1;
}

static void put_classification(struct buf *b, const struct mapping *m, const struct audit_line *l)
{
    put_uint(b, "class_uid", m->class);
    put_uint(b, "category_uid", m->class / 1000u);
    put_uint(b, "activity_id", m->activity);
    put_uint(b, "type_uid", m->class * 100u + m->activity);
    put_uint(b, "severity_id", severity_of(l));
    if (m->activity == ACTIVITY_OTHER)
        put(b, "activity_name", l->action);
    if (m->control) {
        put_uint(b, "action_id", m->control);
        put_uint(b, "disposition_id", m->control); /* 1 allowed, 2 blocked */
    }
}

static void put_status(struct buf *b, const struct mapping *m, const struct audit_line *l)
{
    unsigned status = slice_is(l->outcome, "success") ? 1 : slice_is(l->outcome, "failure") ? 2 : 0;
    put_uint(b, "status_id", m->class == CLASS_FINDING ? 1 : status); /* of a finding: new */
    put(b, m->class == CLASS_ENTITY ? "comment" : "status_detail", l->reason);
    put(b, "message", l->message);
}

static void put_metadata(struct buf *b, const struct mapping *m, const struct audit_line *l, const struct more *more)
{
    begin(b, "metadata");
    put_word(b, "version", OCSF_VERSION);
    begin(b, "product");
    put_word(b, "name", "sandbox-agent"), put_word(b, "vendor_name", "sandbox-agent");
    put(b, "version", more->version);
    end(b);
    if (m->control)
        (void)buf_adds(b, ",\"profiles\":[\"security_control\"]");
    put_word(b, "log_name", "agentsandbox.audit");
    put(b, "event_code", l->action);
    put(b, "correlation_uid", l->execution);
    put(b, "original_time", l->timestamp);
    put(b, "uid", more->hash);
    put_uint(b, "sequence", l->sequence);
    end(b);
}

static void put_who(struct buf *b, const struct audit_line *l, const struct more *more)
{
    begin(b, "device");
    put_uint(b, "type_id", 0); /* unknown: a server or a desktop */
    put(b, "hostname", more->hostname);
    end(b);
    begin(b, "actor");
    begin(b, "user");
    put(b, "uid", more->user_id), put(b, "name", more->user_name);
    end(b);
    put(b, "app_uid", l->agent);
    end(b);
}

static void put_process(struct buf *b, const struct audit_line *l, const struct more *more, uint32_t seen)
{
    begin(b, "process");
    put(b, "uid", l->execution);
    if (l->code_hash.p) {
        (void)buf_adds(b, ",\"file\":{\"name\":\"code\",\"type_id\":1,\"hashes\":[{\"algorithm_id\":3"); /* SHA-256 */
        put(b, "value", l->code_hash);
        (void)buf_adds(b, "}]}");
    }
    end(b);
    if (seen & HAS_EXIT)
        put_uint(b, "exit_code", more->exit_code);
}

static void put_finding(struct buf *b, const struct audit_line *l, const struct more *more)
{
    begin(b, "finding_info");
    put(b, "uid", more->hash);
    put(b, "title", l->message);
    begin(b, "analytic");
    put_uint(b, "type_id", 1); /* a rule */
    put(b, "uid", l->rule);
    end(b), end(b);
    json_key(b, "is_alert");
    json_bool(b, slice_is(l->kind, "alert"));
}

static void put_subject(struct buf *b, const struct mapping *m, const struct audit_line *l, const struct more *more,
                        uint32_t seen)
{
    if (m->class == CLASS_PROCESS) {
        put_process(b, l, more, seen);
    } else if (m->class == CLASS_FINDING) {
        put_finding(b, l, more);
    } else if (m->class == CLASS_ENTITY) {
        begin(b, "entity");
        put_word(b, "type", m->entity);
        put(b, "uid", str_eq(m->entity, "key") ? more->key_id : l->agent);
        end(b);
    }
}

static void put_unmapped(struct buf *b, const struct mapping *m, const struct audit_line *l)
{
    begin(b, "unmapped");
    put(b, "risk_level", l->level);
    if (m->class != CLASS_FINDING)
        put(b, "rule", l->rule);
    end(b);
}

int ocsf_event(const char *line, size_t size, const struct audit_line *l, struct buf *out)
{
    struct more more = { 0 };
    uint32_t seen;
    const struct mapping *m = mapping_of(l->action);
    if (members_read(line, size, more_members, ARRAY_LEN(more_members), &more, &seen) < 0)
        return -EBADMSG;
    json_open(out, '{');
    put_uint(out, "time", l->time_ms);
    put_classification(out, m, l);
    put_status(out, m, l);
    if (seen & HAS_DURATION)
        put_uint(out, "duration", more.duration_ns / 1000000);
    put_metadata(out, m, l, &more);
    if (m->class != CLASS_BASE)
        put_who(out, l, &more);
    put_subject(out, m, l, &more, seen);
    put_unmapped(out, m, l);
    json_close(out, '}');
    return 0;
}
