/* replay.c - `sandbox-policy policy test`: what the decisions in an audit would have been under another configuration.
 *
 * Each recorded decision carries all that it was made from (src/run/trail.c). It is made again with the functions that
 * made it (src/policy): language, level, names that the level blocks, findings, rate limits over the recorded times.
 * Trust is taken as recorded: had the changed rules been in force, the agents' pasts might have been others. What the
 * runs did is judged, too, as far as it is recorded (rerun.h).
 */
#include "tool/load.h"
#include "tool/tool.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/parse.h"
#include "policy/level.h"
#include "policy/limits.h"
#include "policy/names.h"
#include "tool/rerun.h"
#include "tool/suggest.h"

#include <dirent.h>
#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#define MAX_LINE (64u * 1024u)

/* A run that was let in, for the windows. */
struct booked {
    uint64_t at_ms;
    uint32_t agent; /* index in agents; UINT32_MAX: anonymous */
    uint8_t level;
};

/* Decisions whose end is to come, by a hash of their id; one that is overwritten is taken as it was recorded. */
#define OPEN_RUNS 16384u
struct open_run {
    uint64_t hash;
    uint8_t level;
    bool is_refused; /* now */
};

struct replay {
    struct loaded loaded[RISK_COUNT]; /* the changed configuration over each level's profile, or --profile */
    struct rerun_rules rules[RISK_COUNT];
    struct open_run open[OPEN_RUNS];
    const char *system_config, *user_config, *config_path, *config_name, *data_dir, *audit_path;
    const char *profile_path, *level, *events_path; /* of --profile, --risk-level and --events; NULL: not given */
    const char *agent_id;                           /* only this one's; NULL: all */
    bool is_suggest;                                /* policy suggest */
    struct suggestion suggestion;
    uint64_t runs, unseen;    /* unseen: nothing is recorded of what they connected to */
    uint64_t since_ms, limit; /* limit: of the differences that are shown; all are counted */
    bool is_json, has_exit_code;
    struct booked *booked;
    size_t booked_count, booked_cap;
    struct buf agents; /* names, NUL-terminated, one behind the other */
    uint64_t decisions, differences, unreadable;
    struct buf out;
};

/* --- one decision, before and now ------------------------------------------------------------------ */

struct decision {
    const char *execution, *agent, *timestamp; /* agent NULL: anonymous */
    uint64_t at_ms;
    enum language language;
    bool was_refused;
    const char *old_rule; /* what refused then; "" */
    enum risk_level old_level;
    struct level_facts facts;
    const json_t *names;
};

static const char *text_at(const json_t *object, const char *a, const char *b, const char *c)
{
    const json_t *v = json_object_get(object, a);
    v = b && v ? json_object_get(v, b) : v;
    v = c && v ? json_object_get(v, c) : v;
    return json_string_value(v);
}

static uint32_t milli_of(const json_t *object, const char *key)
{
    double v = json_number_value(json_object_get(object, key));
    return v > 0 && v <= 1 ? (uint32_t)(v * 1000 + 0.5) : 0;
}

static int index_of(const char *word, const char *const *words, int none)
{
    for (int i = 0; word && words[i]; i++)
        if (str_eq(word, words[i]))
            return i;
    return none;
}

/* «2026-11-21T04:35:04.721Z»; 0: none. */
static uint64_t time_of(const char *text)
{
    struct tm t = { 0 };
    const char *rest = text ? strptime(text, "%Y-%m-%dT%H:%M:%S", &t) : NULL;
    uint64_t milli = 0;
    if (!rest)
        return 0;
    if (rest[0] == '.')
        for (int i = 1; i <= 3 && rest[i] >= '0' && rest[i] <= '9'; i++)
            milli = milli * 10 + (uint64_t)(rest[i] - '0');
    return (uint64_t)timegm(&t) * 1000 + milli;
}

/* Or how long ago, with its unit. */
static uint64_t since_of(const char *text)
{
    uint64_t ago_ms, now_ms = wall_clock_ms();
    size_t n = strlen(text);
    if (n < 2 || !strchr("smhd", text[n - 1]) || parse_duration(text, &ago_ms) < 0 || ago_ms >= now_ms)
        return time_of(text);
    return now_ms - ago_ms;
}

/* Lines of before there was such a thing: nothing was asked for then. */
static struct level_evidence evidence_of(const json_t *o)
{
    return (struct level_evidence){
        .shapes = (uint32_t)json_integer_value(json_object_get(o, "shapes")),
        .hours = (uint32_t)json_integer_value(json_object_get(o, "hours")),
        .age_ms = (uint64_t)json_integer_value(json_object_get(o, "age_ms")),
        .is_vouched = !o || json_is_true(json_object_get(o, "vouched")),
        .start = milli_of(o, "start"),
    };
}

/* Older lines counted starting programs and using the network as risk, and said how much of it that was. */
static uint32_t risk_of(const json_t *made)
{
    const uint32_t risk = milli_of(made, "risk_increase"), needs = milli_of(made, "capability_risk");
    return risk > needs ? risk - needs : 0;
}

static bool read_decision(const json_t *line, struct decision *d)
{
    const char *action = text_at(line, "event", "action", NULL);
    const json_t *made = json_object_get(json_object_get(line, "agentsandbox"), "decision");
    if (!action || !made || (!str_eq(action, "execution-decided") && !str_eq(action, "execution-refused")))
        return false;
    const char *asked = json_string_value(json_object_get(made, "asked"));
    *d = (struct decision){
        .execution = text_at(line, "process", "entity_id", NULL), .agent = text_at(line, "gen_ai", "agent", "id"),
        .timestamp = text_at(line, "@timestamp", NULL, NULL), .was_refused = str_eq(action, "execution-refused"),
        .old_rule = text_at(line, "rule", "id", NULL), .names = made,
        .language = (enum language)index_of(text_at(line, "agentsandbox", "language", NULL), language_names, LANG_COMMAND),
        .old_level = (enum risk_level)index_of(text_at(line, "labels", "risk_level", NULL), risk_level_names, RISK_HIGH),
        .facts = {
            .has_agent = json_is_true(json_object_get(made, "has_agent")), .trust = milli_of(made, "trust"),
            .is_new = json_is_true(json_object_get(made, "is_new")), .was_asked = asked,
            .held = index_of(json_string_value(json_object_get(made, "held")), risk_level_names, -1),
            .evidence = evidence_of(json_object_get(made, "evidence")),
            .is_nameless = json_is_true(json_object_get(made, "nameless")),
            .is_known_bad = json_is_true(json_object_get(made, "known_bad")),
            .has_own_profile = json_is_true(json_object_get(made, "own_profile")),
            .asked = (enum risk_level)index_of(asked, risk_level_names, RISK_HIGH),
            .was_scanned = json_is_true(json_object_get(made, "scanned")), .risk_increase = risk_of(made),
            .need_count = (uint32_t)json_integer_value(json_object_get(made, "need_count")),
            .needs = json_string_value(json_object_get(made, "needs")),
            .finding_count = (uint32_t)json_integer_value(json_object_get(made, "findings")),
            .worst_rule = json_string_value(json_object_get(made, "worst_rule")),
            .blocking_rule = json_string_value(json_object_get(made, "blocking_rule")),
        },
    };
    d->at_ms = time_of(d->timestamp);
    return d->execution && d->at_ms;
}

static const char *blocked_name(const struct profile *p, const struct decision *d, const char **ret_name)
{
    static const char *const keys[NAME_KINDS] = {
        [NAME_MODULE] = "modules", [NAME_COMMAND] = "commands", [NAME_BUILTIN] = "builtins"
    };
    for (unsigned kind = 0; kind < NAME_KINDS; kind++) {
        const json_t *list = json_object_get(d->names, keys[kind]);
        for (size_t i = 0; i < json_array_size(list); i++) {
            const char *name = json_string_value(json_array_get(list, i));
            const char *rule = name ? name_rule_against(p, d->language, (enum name_kind)kind, name) : NULL;
            if (rule) {
                *ret_name = name;
                return rule;
            }
        }
    }
    return NULL;
}

/* --- windows over the recorded times ------------------------------------------------------------------- */

static uint32_t agent_index(struct replay *r, const char *agent)
{
    uint32_t i = 0;
    if (!agent)
        return UINT32_MAX;
    for (const char *p = r->agents.data; p && p < r->agents.data + r->agents.size; p += strlen(p) + 1, i++)
        if (str_eq(p, agent))
            return i;
    return buf_add(&r->agents, agent, strlen(agent) + 1) == 0 ? i : UINT32_MAX;
}

static void note_oldest(uint64_t *oldest, uint64_t at_ms)
{
    if (!*oldest || at_ms < *oldest)
        *oldest = at_ms;
}

static struct limit_counts count(const struct replay *r, uint32_t agent, enum risk_level level, uint64_t now_ms)
{
    struct limit_counts n = { 0 };
    const uint64_t hour = 3600 * 1000, day = 24 * hour;
    for (size_t i = r->booked_count; i-- > 0 && now_ms - r->booked[i].at_ms < day;) {
        const struct booked *b = &r->booked[i];
        bool is_own = b->agent == agent && b->level == level, is_recent = now_ms - b->at_ms < hour;
        if (is_recent)
            n.global_hour++, note_oldest(&n.global_oldest_ms, b->at_ms);
        if (!is_own)
            continue;
        n.last_start_ms = MAX_OF(n.last_start_ms, b->at_ms);
        n.runs_day++, note_oldest(&n.day_oldest_ms, b->at_ms);
        if (is_recent)
            n.runs_hour++, note_oldest(&n.hour_oldest_ms, b->at_ms);
    }
    return n;
}

static const char *limit_against(struct replay *r, const struct loaded *l, const struct decision *d,
                                 enum risk_level level)
{
    if (!d->agent)
        return NULL;
    uint32_t agent = agent_index(r, d->agent);
    const struct limit_rules rules = limit_rules_from(&l->config, &l->profile);
    const struct limit_counts n = count(r, agent, level, d->at_ms);
    const struct limit_verdict v = limits_check(&rules, &n, d->at_ms);
    if (v.limit != LIMIT_NONE)
        return limit_names[v.limit];
    if (r->booked_count == r->booked_cap) {
        size_t cap = r->booked_cap ? r->booked_cap * 2 : 1024;
        struct booked *grown = realloc(r->booked, cap * sizeof *grown);
        if (!grown)
            return NULL; /* counts less than there was: a replay, no fence */
        r->booked = grown, r->booked_cap = cap;
    }
    r->booked[r->booked_count++] = (struct booked){ .at_ms = d->at_ms, .agent = agent, .level = (uint8_t)level };
    return NULL;
}

/* --- the new decision ----------------------------------------------------------------------------------------- */

/* What only an administrator or a key changes is as it was. */
static bool is_beyond_configuration(const char *rule)
{
    static const char *const rules[] = { "quarantined",
                                         "banned",
                                         "family",
                                         "known_bad_code",
                                         "verify_signatures",
                                         "profile",
                                         "per_key.max_new_agents_per_hour",
                                         "max_concurrent_executions" };
    for (size_t i = 0; rule && i < ARRAY_LEN(rules); i++)
        if (str_eq(rule, rules[i]))
            return true;
    return rule && str_starts(rule, "budgets."); /* what was used is the meter's, and not in the decisions */
}

/* The rule that refuses now, or NULL, and the level. `why` gets the last reason. */
static const char *decide_again(struct replay *r, const struct decision *d, enum risk_level *ret_level, struct buf *why)
{
    const struct config *c = &r->loaded[RISK_HIGH].config;
    struct strlist reasons = { 0 };
    struct error err = { 0 };
    const char *name = NULL, *rule = NULL;
    *ret_level = d->old_level;
    struct level_result found = { .level = d->old_level, .by_trust = d->old_level };
    if (level_decide(c, &d->facts, &found, &reasons, &err) < 0)
        rule = "trust";
    *ret_level = found.level;
    const struct loaded *l = &r->loaded[*ret_level];
    STRLIST_FOREACH(reason, &reasons)
    (void)buf_addf(why, "%s%s", why->size ? "; " : "", reason);
    if (!rule && !c->sandbox.enabled)
        rule = "sandbox.enabled";
    if (!rule && d->language < LANG_COUNT && !c->languages[d->language].enabled)
        rule = "languages.enabled";
    if (!rule && c->agixt.analysis.block_on_detection)
        rule = d->facts.blocking_rule;
    if (!rule && d->language < LANG_COUNT && c->agixt.analysis.enabled &&
        (r->profile_path || !d->facts.has_own_profile))
        rule = blocked_name(&l->profile, d, &name);
    if (name)
        (void)buf_addf(why, "; %s", name);
    if (!rule)
        rule = limit_against(r, l, d, *ret_level);
    strlist_done(&reasons);
    return rule;
}

static void put_side(struct buf *b, const char *key, enum risk_level level, const char *rule)
{
    json_key(b, key);
    json_open(b, '{');
    json_key(b, "level"), json_put_string(b, rule ? NULL : risk_level_names[level]);
    json_key(b, "refused_by"), json_put_string(b, rule);
    json_close(b, '}');
}

static void print_difference(struct replay *r, const struct decision *d, enum risk_level level, const char *rule,
                             const struct buf *why)
{
    const char *old_rule = d->was_refused ? (d->old_rule ? d->old_rule : "refused") : NULL;
    if (r->is_json) {
        json_open(&r->out, '{');
        json_key(&r->out, "execution_id"), json_put_string(&r->out, d->execution);
        json_key(&r->out, "agent_id"), json_put_string(&r->out, d->agent);
        json_key(&r->out, "at"), json_put_string(&r->out, d->timestamp);
        put_side(&r->out, "was", d->old_level, old_rule);
        put_side(&r->out, "would_be", level, rule);
        json_key(&r->out, "reasons"), json_put_string(&r->out, why->data ? why->data : "");
        json_close(&r->out, '}');
        return;
    }
    (void)buf_addf(&r->out, "%s  ", d->timestamp);
    (void)buf_adds_clean(&r->out, d->agent ? d->agent : "(anonymous)");
    (void)buf_addf(&r->out, "  %s: ", d->execution);
    (void)buf_addf(&r->out, "%s%s -> ", old_rule ? "refused by " : "",
                   old_rule ? old_rule : risk_level_names[d->old_level]);
    (void)buf_addf(&r->out, "%s%s\n", rule ? "refused by " : "", rule ? rule : risk_level_names[level]);
    if (why->size) {
        (void)buf_adds(&r->out, "    ");
        (void)buf_adds_clean(&r->out, why->data);
        (void)buf_addc(&r->out, '\n');
    }
}

/* Most lines are no decisions, or older than wanted: told apart without reading them whole. A line that is cut off is
 * read, and counted as such. */
static bool is_beside(const struct replay *r, const char *line, size_t size)
{
    static const char begin[] = "{\"@timestamp\":\"", end[] = "\"}}\n";
    const size_t b = sizeof begin - 1, n = sizeof end - 1;
    if (size < b + n || memcmp(line, begin, b) != 0 || memcmp(line + size - n, end, n) != 0)
        return false;
    if (!memmem(line, size, "\"execution-decided\"", 19) && !memmem(line, size, "\"execution-refused\"", 19) &&
        !memmem(line, size, "\"execution-finished\"", 20))
        return true;
    return r->since_ms && time_of(line + b) < r->since_ms;
}

static uint64_t hash_of(const char *id)
{
    uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */
    for (; *id; id++)
        h = (h ^ (unsigned char)*id) * UINT64_C(1099511628211);
    return h;
}

static struct open_run *open_of(struct replay *r, const char *id)
{
    return &r->open[hash_of(id) % OPEN_RUNS];
}

static void on_decision(struct replay *r, const struct decision *d)
{
    enum risk_level level = d->old_level;
    struct buf why;
    buf_init(&why, 8 * KIB);
    r->decisions++;
    const char *rule = is_beyond_configuration(d->was_refused ? d->old_rule : NULL) ? d->old_rule
                                                                                    : decide_again(r, d, &level, &why);
    if (d->was_refused != (rule != NULL) || (!rule && level != d->old_level)) {
        if (r->differences++ < r->limit)
            print_difference(r, d, level, rule, &why);
    }
    if (!d->was_refused)
        *open_of(r, d->execution) = (struct open_run){ hash_of(d->execution), (uint8_t)level, rule != NULL };
    buf_done(&why);
}

/* --- what a run did ------------------------------------------------------------------------------------------- */

static uint64_t number_at(const json_t *object, const char *key)
{
    const json_int_t v = json_integer_value(json_object_get(object, key));
    return v > 0 ? (uint64_t)v : 0;
}

static void judge_connection(struct rerun *run, const json_t *c)
{
    struct net_address a;
    const char *verdict = text_at(c, "verdict", NULL, NULL), *address = text_at(c, "address", NULL, NULL);
    if (verdict && str_eq(verdict, "allowed") && address && net_address_parse(address, &a) == 0)
        rerun_connection(run, a.family, a.bytes, (uint16_t)number_at(c, "port"), text_at(c, "name", NULL, NULL));
}

static void judge_run(struct rerun *run, const json_t *line)
{
    const json_t *ours = json_object_get(line, "agentsandbox"), *activity = json_object_get(ours, "activity");
    const json_t *peak = json_object_get(activity, "peak"), *connections = json_object_get(activity, "connections"),
                 *violations = json_object_get(ours, "violations");
    for (size_t i = 0; i < json_array_size(connections); i++)
        judge_connection(run, json_array_get(connections, i));
    for (size_t i = 0; i < json_array_size(violations); i++) {
        const json_t *v = json_array_get(violations, i);
        rerun_violation(run, text_at(v, "type", NULL, NULL), text_at(v, "detail", NULL, NULL));
    }
    rerun_peak(run, number_at(peak ? peak : ours, peak ? "memory_bytes" : "peak_memory_bytes"),
               number_at(peak, "pids"));
    rerun_duration(run, number_at(json_object_get(line, "event"), "duration") / 1000000);
}

/* One that ended by itself. What was ended then has its reason already. */
static bool read_end(const json_t *line, struct decision *d)
{
    const char *action = text_at(line, "event", "action", NULL), *reason = text_at(line, "event", "reason", NULL);
    *d = (struct decision){
        .execution = text_at(line, "process", "entity_id", NULL),
        .agent = text_at(line, "gen_ai", "agent", "id"),
        .timestamp = text_at(line, "@timestamp", NULL, NULL),
        .old_level = (enum risk_level)index_of(text_at(line, "labels", "risk_level", NULL), risk_level_names,
                                               RISK_HIGH),
    };
    d->at_ms = time_of(d->timestamp);
    return d->execution && d->at_ms && action && str_eq(action, "execution-finished") && reason &&
           (str_eq(reason, "completed") || str_eq(reason, "error") || str_eq(reason, "signal"));
}

static void tell_run(struct replay *r, const struct decision *d, enum risk_level level, const struct rerun *run)
{
    struct buf why;
    if (!run->rule)
        return;
    buf_init(&why, 8 * KIB);
    (void)buf_adds(&why, run->why);
    if (r->differences++ < r->limit)
        print_difference(r, d, level, run->rule, &why);
    buf_done(&why);
}

static void on_end(struct replay *r, const json_t *line, const struct decision *d)
{
    const struct open_run *open = open_of(r, d->execution);
    const bool is_ours = open->hash == hash_of(d->execution);
    const enum risk_level level = is_ours ? (enum risk_level)open->level : d->old_level;
    struct rerun run = { .rules = &r->rules[level] };
    if (is_ours && open->is_refused)
        return; /* it would not have run */
    r->runs++;
    r->unseen += !json_is_object(json_object_get(json_object_get(line, "agentsandbox"), "activity"));
    judge_run(&run, line);
    tell_run(r, d, level, &run);
}

/* For `policy suggest`: a run of its agent that ended with success and without a violation. */
static void on_good_run(struct replay *r, const json_t *line, const struct decision *d)
{
    const json_t *violations = json_object_get(json_object_get(line, "agentsandbox"), "violations");
    const char *reason = text_at(line, "event", "reason", NULL);
    if (reason && str_eq(reason, "completed") && !json_array_size(violations))
        suggest_add(&r->suggestion, (uint8_t)d->old_level, line);
}

static bool is_asked_about(const struct replay *r, const struct decision *d)
{
    return d->at_ms >= r->since_ms && (!r->agent_id || (d->agent && str_eq(d->agent, r->agent_id)));
}

static void on_line(struct replay *r, const char *line, size_t size)
{
    if (is_beside(r, line, size))
        return;
    struct decision d;
    json_t *root = json_loadb(line, size, 0, NULL);
    if (!root) {
        r->unreadable++;
        return;
    }
    if (read_decision(root, &d)) {
        if (is_asked_about(r, &d) && !r->is_suggest)
            on_decision(r, &d);
    } else if (read_end(root, &d) && is_asked_about(r, &d)) {
        if (r->is_suggest)
            on_good_run(r, root, &d);
        else
            on_end(r, root, &d);
    }
    json_decref(root);
}

/* --- files -------------------------------------------------------------------------------------------------------- */

static int on_file(struct replay *r, const char *path, struct error *err)
{
    FILE *f = fopen(path, "re");
    char *line = NULL;
    size_t cap = 0;
    ssize_t n;
    if (!f)
        return err_set(err, -errno, BLAME_CALLER, NULL, "%s: %m", path);
    while ((n = getline(&line, &cap, f)) > 0)
        if ((size_t)n <= MAX_LINE)
            on_line(r, line, (size_t)n);
        else
            r->unreadable++;
    free(line);
    (void)fclose(f); /* read only */
    return 0;
}

static int is_rotated(const struct dirent *d)
{
    return str_starts(d->d_name, "audit-") && strlen(d->d_name) > 12 &&
           str_eq(d->d_name + strlen(d->d_name) - 6, ".jsonl");
}

static uint64_t number_in(const char *name)
{
    uint64_t v = 0;
    for (const char *p = name + strlen("audit-"); *p >= '0' && *p <= '9'; p++)
        v = v * 10 + (uint64_t)(*p - '0');
    return v;
}

static int by_number(const struct dirent **a, const struct dirent **b)
{
    uint64_t x = number_in((*a)->d_name), y = number_in((*b)->d_name);
    return x < y ? -1 : x > y;
}

/* A directory: the rotated files in their order, then audit.jsonl. */
static int on_directory(struct replay *r, const char *dir, struct error *err)
{
    struct dirent **names = NULL;
    char path[4400];
    int n = scandir(dir, &names, is_rotated, by_number), e = 0;
    if (n < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "%s: %m", dir);
    for (int i = 0; i < n; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", dir, names[i]->d_name);
        if (e == 0)
            e = on_file(r, path, err);
        free(names[i]);
    }
    free(names);
    (void)snprintf(path, sizeof path, "%s/audit.jsonl", dir);
    return e < 0 ? e : on_file(r, path, err);
}

static const char *default_directory(const struct replay *r, char *out, size_t size)
{
    const char *configured = r->loaded[RISK_HIGH].config.sandbox.paths.log_dir;
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (configured)
        return configured;
    if (access("/var/log/sandbox/audit.jsonl", R_OK) == 0)
        return "/var/log/sandbox";
    if (state && state[0] == '/')
        (void)snprintf(out, size, "%s/sandbox-agent/log", state);
    else
        (void)snprintf(out, size, "%s/.local/state/sandbox-agent/log", home ? home : "");
    return out;
}

/* --- the command
 * ------------------------------------------------------------------------------------------------------ */

static int load_levels(struct replay *r, struct error *err)
{
    const char *const files[CONFIG_FILE_COUNT] = { r->system_config, r->user_config, r->config_path };
    int e = 0;
    for (unsigned i = 0; i < RISK_COUNT && e == 0; i++) {
        r->loaded[i].option_name = r->config_name;
        e = load_config(&r->loaded[i], files, err);
        if (e == 0)
            e = load_profile(&r->loaded[i], r->data_dir,
                             r->profile_path ? NULL
                             : r->level      ? r->level
                                             : risk_level_names[i],
                             r->profile_path, err);
        if (e == 0)
            e = rerun_begin(&r->loaded[i].profile, &r->loaded[i].config, &r->rules[i], err);
    }
    return e;
}

/* A recording of --record-events, told by its file's name. */
static int on_recording(struct replay *r, const char *path, struct error *err)
{
    struct rerun run = { .rules = &r->rules[RISK_HIGH] };
    struct stat st;
    char when[32] = "", *name = strrchr(path, '/');
    int e = rerun_file(&run, path, err);
    if (e == 0 && stat(path, &st) == 0)
        (void)strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime(&st.st_mtime));
    const struct decision d = { .execution = name ? name + 1 : path,
                                .timestamp = when,
                                .old_level = (enum risk_level)r->loaded[RISK_HIGH].profile.risk_level };
    r->runs++;
    if (e == 0)
        tell_run(r, &d, d.old_level, &run);
    return e;
}

static int is_recording(const struct dirent *d)
{
    const size_t n = strlen(d->d_name);
    return n > 6 && str_eq(d->d_name + n - 6, ".jsonl");
}

static int on_recordings(struct replay *r, struct error *err)
{
    struct dirent **names = NULL;
    struct stat st;
    char path[4400];
    if (stat(r->events_path, &st) < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "--events %s: %m", r->events_path);
    if (!S_ISDIR(st.st_mode))
        return on_recording(r, r->events_path, err);
    int n = scandir(r->events_path, &names, is_recording, alphasort), e = 0;
    if (n < 0)
        return err_set(err, -errno, BLAME_CALLER, NULL, "--events %s: %m", r->events_path);
    for (int i = 0; i < n; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", r->events_path, names[i]->d_name);
        if (e == 0)
            e = on_recording(r, path, err);
        free(names[i]);
    }
    free(names);
    return e;
}

static int on_audit(struct replay *r, struct error *err)
{
    char dir[4200];
    const char *path = r->audit_path ? r->audit_path : default_directory(r, dir, sizeof dir);
    size_t n = strlen(path);
    int e = n > 6 && str_eq(path + n - 6, ".jsonl") ? on_file(r, path, err) : on_directory(r, path, err);
    return e < 0 ? err_remedy(err, "name the audit: --audit DIRECTORY or --audit FILE") : 0;
}

static void print_end(struct replay *r)
{
    const unsigned long long decisions = r->decisions, runs = r->runs, unseen = r->unseen, differ = r->differences,
                             unreadable = r->unreadable;
    if (r->is_json) {
        (void)buf_addf(&r->out,
                       "],\"decisions\":%llu,\"runs\":%llu,\"runs_without_activity\":%llu,\"differ\":%llu,"
                       "\"unreadable_lines\":%llu}\n",
                       decisions, runs, unseen, differ, unreadable);
        return;
    }
    if (unseen)
        (void)buf_addf(&r->out, "of %llu runs no connections are recorded (logging.audit_syscalls was off)\n", unseen);
    (void)buf_addf(&r->out, "%llu decisions, %llu runs, %llu would differ, %llu lines could not be read\n", decisions,
                   runs, differ, unreadable);
}

static int suggest(struct replay *r, struct error *err)
{
    suggest_begin(&r->suggestion);
    int e = r->suggestion.learn ? on_audit(r, err) : err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory");
    if (e == 0 && !r->suggestion.runs) {
        e = err_set(err, -ENOENT, BLAME_CALLER, NULL, "no good run of agent %s is recorded", r->agent_id);
        return err_remedy(err, "look at sandbox-agent audit search --agent %s; a later --since sees fewer runs",
                          r->agent_id);
    }
    struct profile *p = &r->loaded[r->suggestion.level].profile;
    if (e == 0)
        e = suggest_tighten(&r->suggestion, p, err);
    if (e == 0)
        suggest_print(&r->suggestion, p, r->agent_id, &r->out);
    return e == 0 && r->out.failed ? err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory for the answer") : e;
}

static int run(struct replay *r, struct error *err)
{
    int e = load_levels(r, err);
    if (e < 0)
        return e;
    if (r->is_suggest)
        return suggest(r, err);
    if (r->is_json)
        (void)buf_adds(&r->out, "{\"differences\":[");
    e = r->events_path ? on_recordings(r, err) : on_audit(r, err);
    if (e == 0)
        print_end(r);
    return e == 0 && r->out.failed ? err_set(err, -ENOMEM, BLAME_HOST, NULL, "no memory for the answer") : e;
}

static int check_words(const struct replay *r, struct error *err)
{
    if (r->is_suggest &&
        (!r->agent_id || r->profile_path || r->level || r->events_path || r->is_json || r->has_exit_code))
        return err_remedy((err_set(err, -EINVAL, BLAME_CALLER, NULL, "policy suggest: for which agent?"), err),
                          "policy suggest --agent ID [--config FILE] [--audit DIR|FILE] [--since TIME]");
    if (r->profile_path && r->level)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "policy test: either --profile or --risk-level");
    if (r->level && risk_level_find(r->level) < 0)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "--risk-level %s: accepted are low, medium and high",
                       r->level);
    if (r->events_path && (r->audit_path || r->since_ms || r->agent_id))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                       "policy test: --events is for recordings, --audit, --agent and --since "
                       "are for the audit");
    if (r->events_path && !r->profile_path && !r->level)
        return err_remedy(
            (err_set(err, -EINVAL, BLAME_CALLER, NULL, "policy test --events: under which profile?"), err),
            "give --profile FILE or --risk-level LEVEL");
    return 0;
}

static int parse(struct replay *r, int argc, char **argv, struct error *err)
{
    static const struct option options[] = {
        { "data-dir", required_argument, NULL, 'd' },
        { "config", required_argument, NULL, 'c' },
        { "config-name", required_argument, NULL, 'C' }, /* in errors: of a text that sandboxd was sent */
        { "system-config", required_argument, NULL, 's' },
        { "audit", required_argument, NULL, 'a' },
        { "since", required_argument, NULL, 't' },
        { "json", no_argument, NULL, 'j' },
        { "exit-code", no_argument, NULL, 'x' },
        { "profile", required_argument, NULL, 'p' },
        { "risk-level", required_argument, NULL, 'l' },
        { "events", required_argument, NULL, 'e' },
        { "agent", required_argument, NULL, 'g' },
        { "limit", required_argument, NULL, 'n' },
        { NULL, 0, NULL, 0 },
    };
    int c;
    while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
        switch (c) {
        case 'd':
            r->data_dir = optarg;
            break;
        case 'c':
            r->config_path = optarg;
            break;
        case 'C':
            r->config_name = optarg;
            break;
        case 's':
            r->system_config = optarg;
            break;
        case 'a':
            r->audit_path = optarg;
            break;
        case 'g':
            r->agent_id = optarg;
            break;
        case 'p':
            r->profile_path = optarg;
            break;
        case 'l':
            r->level = optarg;
            break;
        case 'e':
            r->events_path = optarg;
            break;
        case 'j':
            r->is_json = true;
            break;
        case 'n':
            if (parse_u64(optarg, &r->limit) < 0)
                return err_set(err, -EINVAL, BLAME_CALLER, NULL, "--limit %s: accepted is a whole number", optarg);
            break;
        case 'x':
            r->has_exit_code = true;
            break;
        case 't':
            r->since_ms = since_of(optarg);
            if (!r->since_ms)
                return err_set(err, -EINVAL, BLAME_CALLER, NULL,
                               "--since %s: accepted is a time such as 2026-11-21T04:35:04Z, or how long ago: 12h, 30d",
                               optarg);
            break;
        default:
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "policy test: an option is not known");
        }
    }
    r->is_suggest = argc - optind == 1 && str_eq(argv[optind], "suggest");
    if (!r->is_suggest && (argc - optind != 1 || !str_eq(argv[optind], "test")))
        return err_remedy((err_set(err, -EINVAL, BLAME_CALLER, NULL, "policy: what is it to do?"), err),
                          "policy test --config CHANGED.yaml [--audit DIR|FILE] [--since TIME] [--limit N] [--json]");
    return check_words(r, err);
}

/* With --json as JSON: sandboxd makes its own answer of it (daemon/what_if_api.c). */
static int complain(const struct replay *r, const struct error *err)
{
    struct buf b;
    if (!r->is_json)
        return tool_complain(err);
    buf_init(&b, 16 * KIB);
    json_open(&b, '{');
    json_key(&b, "error"), json_open(&b, '{');
    json_key(&b, "code"), json_put_string(&b, err_public_code(err));
    json_key(&b, "message"), json_put_string(&b, err->text);
    json_key(&b, "remedy"), json_put_string(&b, err->remedy[0] ? err->remedy : NULL);
    json_close(&b, '}');
    json_close(&b, '}');
    (void)buf_addc(&b, '\n');
    const int code = tool_print(&b);
    buf_done(&b);
    return code ? code : tool_exit_code(err);
}

int cmd_policy(struct tool *t, int argc, char **argv)
{
    struct replay *r = calloc(1, sizeof *r);
    struct error err = { 0 };
    char user_config[4200];
    if (!r)
        return 125;
    find_user_config(user_config, sizeof user_config);
    r->limit = UINT64_MAX;
    r->data_dir = t->data_dir;
    r->system_config = SYSTEM_CONFIG;
    r->user_config = user_config[0] ? user_config : NULL;
    buf_init(&r->out, 64 * MIB);
    buf_init(&r->agents, 16 * MIB);
    for (unsigned i = 0; i < RISK_COUNT; i++)
        loaded_init(&r->loaded[i]);
    int e = parse(r, argc, argv, &err);
    if (e == 0)
        e = run(r, &err);
    int code = e < 0 ? complain(r, &err) : tool_print(&r->out);
    if (!code && r->has_exit_code && (r->differences || r->unreadable))
        code = 1; /* what could not be read could differ */
    suggest_done(&r->suggestion);
    for (unsigned i = 0; i < RISK_COUNT; i++) {
        rerun_done(&r->rules[i]);
        loaded_done(&r->loaded[i]);
    }
    buf_done(&r->out);
    buf_done(&r->agents);
    free(r->booked);
    free(r);
    return code;
}
