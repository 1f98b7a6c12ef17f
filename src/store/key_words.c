/* key_words.c - a key of the service's API in words: what it may look like, and how it is shown; and the meter's
 * periods. Also in programs without SQLite. */
#include <stdio.h>
#include <time.h>
#include "base/json.h"
#include "store/service.h"

const char *const key_role_names[KEY_ROLES + 1] = {
    [KEY_RUN] = "run", [KEY_READ] = "read", [KEY_ADMIN] = "admin", NULL
};

const char *const usage_period_names[USAGE_PERIODS + 1] = {
    [USAGE_ALL] = "all", [USAGE_HOUR] = "hour", [USAGE_DAY] = "day", [USAGE_MONTH] = "month", NULL
};

static int refuse(struct error *err, const char *text, const char *remedy)
{
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s", text);
    return err ? err_remedy(err, "%s", remedy) : -EINVAL;
}

static bool is_name(const char *s)
{
    size_t n = strnlen(s, KEY_NAME_MAX + 1);
    for (size_t i = 0, step; i < n; i += step) {
        step = json_utf8_length((const unsigned char *)s + i, n - i);
        if (!step || (unsigned char)s[i] < 0x20 || s[i] == 0x7F)
            return false;
    }
    return n > 0 && n <= KEY_NAME_MAX;
}

static bool are_agents(const char *s)
{
    char id[AGENT_ID_MAX + 2];
    if (!s || !*s)
        return true;
    if (strlen(s) > KEY_AGENTS_MAX)
        return false;
    for (;;) {
        size_t n = strcspn(s, "\n");
        (void)snprintf(id, sizeof id, "%.*s", (int)MIN_OF(n, sizeof id - 1), s);
        if (!agent_id_is_accepted(id))
            return false;
        if (!s[n])
            return true;
        s += n + 1;
    }
}

static bool is_hex_text(const char *s, size_t digits)
{
    return strlen(s) == digits && strspn(s, "0123456789abcdef") == digits;
}

int key_row_check(const struct key_row *k, struct error *err)
{
    if (!k->name || !is_name(k->name) || str_starts(k->name, "key-"))
        return refuse(
            err,
            "a key's name: expected 1 to 128 bytes of text without control characters, that does not begin with key-",
            "call it after who uses it: ci, backup, agixt");
    if (k->role >= KEY_ROLES || k->levels >> RISK_COUNT)
        return refuse(err, "a key's role or levels: unknown",
                      "roles are run, read and admin; levels are low, medium and high");
    if (!are_agents(k->agents))
        return refuse(
            err,
            "a key's agents: expected ids of 1 to 128 bytes without control characters, all together up to 4096 bytes",
            "make several keys, or one that is good for any agent");
    if (k->role == KEY_READ && k->allow_risk_override)
        return refuse(err, "a key with the role read runs nothing: it has no risk to override",
                      "leave out allow_risk_override, or make it a run key");
    if (k->role != KEY_RUN && (k->levels || (k->agents && *k->agents)))
        return refuse(err, "only a key with the role run can be bound to agents or levels",
                      "leave out the agents and levels, or make it a run key");
    if (!k->id || !str_starts(k->id, "key-") || !is_hex_text(k->id + 4, 12) || !k->hash || !is_hex_text(k->hash, 64))
        return err_set(err, -EINVAL, BLAME_US, NULL, "a key without an id or a hash");
    return 0;
}

bool key_row_is_good(const struct key_row *k, uint64_t now_ms)
{
    return !k->revoked_ms && (!k->expires_ms || now_ms < k->expires_ms);
}

const char *key_time(uint64_t ms, char out[static 32])
{
    time_t t = (time_t)(ms / 1000);
    struct tm tm;
    if (!ms || !gmtime_r(&t, &tm) || !strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &tm))
        out[0] = '\0';
    return out;
}

static void put_time(struct buf *b, const char *key, uint64_t ms)
{
    char text[32];
    json_key(b, key);
    json_put_string(b, *key_time(ms, text) ? text : NULL);
}

static void put_agents(struct buf *b, const char *s)
{
    json_key(b, "agents");
    json_open(b, '[');
    while (s && *s) {
        size_t n = strcspn(s, "\n");
        json_bytes(b, s, n);
        s += n + (s[n] == '\n');
    }
    json_close(b, ']');
}

void key_row_json(struct buf *b, const struct key_row *k, const char *token)
{
    json_open(b, '{');
    json_key(b, "id"), json_put_string(b, k->id);
    json_key(b, "name"), json_put_string(b, k->name);
    json_key(b, "role"), json_put_string(b, key_role_names[MIN_OF(k->role, (uint8_t)KEY_ADMIN)]);
    put_agents(b, k->agents);
    json_key(b, "levels");
    json_open(b, '[');
    for (unsigned i = 0; i < RISK_COUNT; i++)
        if (k->levels & 1u << i)
            json_put_string(b, risk_level_names[i]);
    json_close(b, ']');
    json_key(b, "allow_risk_override"), json_bool(b, k->allow_risk_override);
    put_time(b, "created_at", k->created_ms);
    put_time(b, "expires_at", k->expires_ms);
    put_time(b, "revoked_at", k->revoked_ms);
    put_time(b, "last_used_at", k->last_used_ms);
    if (token)
        json_key(b, "token"), json_put_string(b, token);
    json_close(b, '}');
}
