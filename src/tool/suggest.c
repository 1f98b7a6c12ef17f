#include "tool/suggest.h"

#include <string.h>
#include "base/netrule.h"

#define MEMORY_STEP (16 * MIB)
#define LEAST_MS    5000u
#define LEAST_PIDS  10u          /* init, the supervisor's own and an interpreter with its threads */
#define ITEM        "\n    - \"" /* of net_learn_print(): «    - "pypi.org:443"» */
#define RULES_MAX   (64 * KIB)

void suggest_begin(struct suggestion *s)
{
    *s = (struct suggestion){ .level = RISK_HIGH, .learn = net_learn_new() };
}

void suggest_done(struct suggestion *s)
{
    s->learn = net_learn_free(s->learn);
}

static uint64_t number_of(const json_t *object, const char *key)
{
    const json_int_t v = json_integer_value(json_object_get(object, key));
    return v > 0 ? (uint64_t)v : 0;
}

static void add_connection(struct suggestion *s, const json_t *c)
{
    const char *verdict = json_string_value(json_object_get(c, "verdict")),
               *address = json_string_value(json_object_get(c, "address")),
               *protocol = json_string_value(json_object_get(c, "protocol"));
    struct watch_event e = { .kind = WATCH_CONNECT,
                             .verdict = WATCH_ALLOWED,
                             .port = (uint16_t)number_of(c, "port"),
                             .protocol = protocol && str_eq(protocol, "udp") ? 17 : 6,
                             .name = json_string_value(json_object_get(c, "name")) };
    struct net_address a;
    if (!verdict || !str_eq(verdict, "allowed") || !address || net_address_parse(address, &a) < 0)
        return;
    e.family = a.family;
    memcpy(e.address, a.bytes, sizeof e.address);
    s->has_connected = true;
    net_learn_add(s->learn, &e);
}

void suggest_add(struct suggestion *s, uint8_t level, const json_t *line)
{
    const json_t *ours = json_object_get(line, "agentsandbox"), *activity = json_object_get(ours, "activity");
    const json_t *peak = json_object_get(activity, "peak"), *connections = json_object_get(activity, "connections");
    const uint64_t duration_ms = number_of(json_object_get(line, "event"), "duration") / 1000000;
    s->runs++;
    s->unseen += !json_is_object(activity);
    s->is_cut |= number_of(activity, "omitted") || number_of(activity, "events_lost");
    s->level = MIN_OF(s->level, level);
    s->memory_bytes = MAX_OF(s->memory_bytes,
                             MAX_OF(number_of(peak, "memory_bytes"), number_of(ours, "peak_memory_bytes")));
    s->pids = MAX_OF(s->pids, number_of(peak, "pids"));
    s->duration_ms = MAX_OF(s->duration_ms, duration_ms);
    for (size_t i = 0; i < json_array_size(connections); i++)
        add_connection(s, json_array_get(connections, i));
}

static int take_rules(const struct suggestion *s, struct profile *p, struct error *err)
{
    struct buf b;
    int e = 0;
    buf_init(&b, RULES_MAX);
    net_learn_print(s->learn, &b);
    strlist_done(&p->network.allow);
    for (const char *at = b.data ? strstr(b.data, ITEM) : NULL; e == 0 && at; at = strstr(at, ITEM)) {
        char rule[NET_RULE_TEXT_MAX + 1];
        at += strlen(ITEM);
        const size_t n = strcspn(at, "\"\n");
        if (n > NET_RULE_TEXT_MAX)
            continue;
        memcpy(rule, at, n);
        rule[n] = '\0';
        e = strlist_add(&p->network.allow, rule);
    }
    e = b.failed || e < 0 ? err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory for the network's rules") : 0;
    buf_done(&b);
    return e;
}

int suggest_tighten(const struct suggestion *s, struct profile *p, struct error *err)
{
    const struct setting *name = setting_find(profile_settings, "name");
    setting_clear(name, p);
    int e = setting_parse(name, p, "suggested", err);
    if (e < 0)
        return e;
    const bool is_all_seen = !s->unseen && !s->is_cut;
    const uint64_t memory = (s->memory_bytes + s->memory_bytes / 4 + MEMORY_STEP - 1) / MEMORY_STEP * MEMORY_STEP;
    if (s->memory_bytes)
        p->resources.memory = MIN_OF(p->resources.memory, memory);
    p->resources.timeout = MIN_OF(p->resources.timeout,
                                  MAX_OF((s->duration_ms * 2 + 999) / 1000 * 1000, (uint64_t)LEAST_MS));
    if (!s->unseen && s->pids)
        p->resources.pids = (uint32_t)MIN_OF((uint64_t)p->resources.pids, MAX_OF(s->pids * 2, (uint64_t)LEAST_PIDS));
    p->execution.max_processes = MIN_OF(p->execution.max_processes, p->resources.pids);
    if (!is_all_seen || p->network.mode == NETWORK_NONE)
        return 0;
    if (s->has_connected)
        return take_rules(s, p, err);
    p->network.mode = NETWORK_NONE;
    strlist_done(&p->network.allow);
    return 0;
}

void suggest_print(const struct suggestion *s, const struct profile *p, const char *agent_id, struct buf *out)
{
    (void)buf_addf(out, "# From %llu good runs of agent ", (unsigned long long)s->runs);
    (void)buf_adds_clean(out, agent_id);
    (void)buf_addf(out, "; at most %llu MiB, %llu ms, %llu processes. The rest is level %s's.\n",
                   (unsigned long long)(s->memory_bytes / MIB), (unsigned long long)s->duration_ms,
                   (unsigned long long)s->pids, risk_level_names[p->risk_level]);
    if (s->unseen)
        (void)buf_addf(
            out,
            "# Of %llu runs it is not recorded what they did (logging.audit_syscalls): processes and network "
            "are the level's.\n",
            (unsigned long long)s->unseen);
    if (s->is_cut)
        (void)buf_adds(out, "# Some did more than a line of the audit holds: the network is the level's.\n");
    settings_print(profile_settings, p, NULL, NULL, out);
}
