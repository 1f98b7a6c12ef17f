#include "audit/line.h"

#include "audit/audit.h"

static const struct member members[] = {
    MEMBER("event.sequence", MEMBER_NUMBER, struct audit_line, sequence), /* first: see below */
    MEMBER("@timestamp", MEMBER_TEXT, struct audit_line, timestamp),
    MEMBER("message", MEMBER_TEXT, struct audit_line, message),
    MEMBER("gen_ai.agent.id", MEMBER_TEXT, struct audit_line, agent),
    MEMBER("process.entity_id", MEMBER_TEXT, struct audit_line, execution),
    MEMBER("process.hash.sha256", MEMBER_TEXT, struct audit_line, code_hash),
    MEMBER("rule.id", MEMBER_TEXT, struct audit_line, rule),
    MEMBER("labels.risk_level", MEMBER_TEXT, struct audit_line, level),
    MEMBER("agentsandbox.via_node", MEMBER_TEXT, struct audit_line, via_node),
    MEMBER("agentsandbox.chain.previous_hash", MEMBER_TEXT, struct audit_line, chain.previous_hash),
    MEMBER("agentsandbox.chain.public_key", MEMBER_TEXT, struct audit_line, chain.public_key),
    MEMBER("agentsandbox.chain.signature", MEMBER_TEXT, struct audit_line, chain.signature),
    MEMBER("agentsandbox.chain.signed_hash", MEMBER_TEXT, struct audit_line, chain.signed_hash),
    MEMBER("agentsandbox.chain.signed_sequence", MEMBER_NUMBER, struct audit_line, chain.signed_sequence),
    MEMBER("agentsandbox.chain.next_within", MEMBER_NUMBER, struct audit_line, chain.next_within),
    MEMBER("agentsandbox.chain.repair_offset", MEMBER_NUMBER, struct audit_line, chain.repair_offset),
    MEMBER("agentsandbox.chain.repair_bytes", MEMBER_NUMBER, struct audit_line, chain.repair_bytes),
    MEMBER("agentsandbox.chain.repair_hash", MEMBER_TEXT, struct audit_line, chain.repair_hash),
    MEMBER("event.kind", MEMBER_TEXT, struct audit_line, kind),
    MEMBER("event.action", MEMBER_TEXT, struct audit_line, action),
    MEMBER("event.outcome", MEMBER_TEXT, struct audit_line, outcome),
    MEMBER("event.reason", MEMBER_TEXT, struct audit_line, reason),
};

int audit_line_read(const char *line, size_t size, struct audit_line *ret)
{
    uint32_t seen;
    static_assert(ARRAY_LEN(members) <= MEMBERS_MAX, "a bit for each member");
    *ret = (struct audit_line){ 0 };
    if (size >= AUDIT_LINE_MAX || members_read(line, size, members, ARRAY_LEN(members), ret, &seen) < 0)
        return -EBADMSG;
    ret->has_sequence = seen & 1u;
    if (ret->timestamp.p && audit_time_read(ret->timestamp.p, ret->timestamp.size, &ret->time_ms) < 0)
        return -EBADMSG;
    return 0;
}

bool audit_line_is_end(const struct audit_line *l)
{
    static const char *const ends[] = { "execution-finished", "execution-refused", "execution-recovered" };
    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        if (slice_is(l->action, ends[i]))
            return true;
    return false;
}
