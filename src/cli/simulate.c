/* simulate.c - `policy simulate FILE`: what the trust policy makes of a stream of runs.
 *
 * Nothing is run but the policy itself: for each simulated run the real code decides (policy/level.c), reserves and
 * settles (a real sandbox-ledger over a database of its own), in the order of src/run/judge.h. Only the clock is made
 * up, and what a run did. The database is in a temporary directory, which is removed as soon as the ledger has it open.
 */
#include <stdio.h>
#include <sys/stat.h>

#include "base/process.h"
#include "cli/cmd.h"
#include "cli/simulate.h"
#include "policy/level.h"
#include "run/policy.h"
#include "store/remote.h"

#define BEGIN_MS UINT64_C(1800000000000) /* the simulated clock begins in January 2027 */
#define MAX_FILE (MIB)
#define STUCK_MS (12 * UINT64_C(3600000)) /* at high for so long without a break */

struct group { /* what became of a stream */
    uint64_t asked, ran, refused_level, refused_limit, refused_standing, at_level[RISK_COUNT], seen;
    uint64_t quarantined_ms, seen_until; /* when it was first kept out, after so many runs that a layer saw; 0: never */
    uint64_t low_ms;                     /* first run at low, since the stream's begin; UINT64_MAX: none */
    uint32_t trust, trust_least;
    uint8_t standing;
    uint64_t high_since_ms, longest_high_ms; /* without a break */
    bool is_banned;
};

struct sim {
    const struct paths *paths;
    struct arena *arena, scratch; /* scratch: of one run */
    struct compiled policy[RISK_COUNT];
    uint32_t policy_count;
    const struct config *config;
    struct trust_rules rules;
    struct store ledger;
    struct sim_file file;
    struct group groups[SIM_STREAMS];
    uint64_t next[SIM_STREAMS]; /* the run that comes next, by its number */
    uint64_t random[SIM_STREAMS];
    bool is_traced, is_json;
    FILE *out;
};

/* One simulated run on its way. */
struct one {
    uint32_t stream;
    const struct sim_stream *s;
    struct group *g;
    uint64_t number, now_ms;
    enum sim_kind kind;
    enum risk_level needs; /* the strictest level at which the program could run */
    const char *agent_id, *key_id, *execution_id;
    char code[65], shape[17], tree[17];
    struct agent agent;
    uint32_t trust;
    bool is_known_bad;
    struct level_facts facts;
    struct level_result level;
    struct reserve_reply reserved;
    const char *word; /* what became of it, for --trace */
};

static uint64_t any(struct sim *m, uint32_t stream, uint64_t below) /* splitmix64 */
{
    uint64_t z = (m->random[stream] += UINT64_C(0x9E3779B97F4A7C15));
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (z ^ (z >> 31)) % below;
}

static unsigned choose(struct sim *m, uint32_t stream, const uint32_t *shares, unsigned count)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += shares[i];
    uint64_t at = sum ? any(m, stream, sum) : 0;
    for (unsigned i = 0; i < count; i++) {
        if (at < shares[i])
            return i;
        at -= shares[i];
    }
    return count - 1;
}

/* --- one run ------------------------------------------------------------------------------------- */

static void begin(struct sim *m, struct one *o)
{
    const struct sim_stream *s = o->s;
    struct arena *a = &m->scratch;
    const unsigned long long n = o->number;
    o->kind = (enum sim_kind)choose(m, o->stream, s->kinds, SIM_KINDS);
    o->needs = (enum risk_level)choose(m, o->stream, s->needs, RISK_COUNT);
    o->key_id = *s->key ? s->key : NULL;
    o->agent_id = s->is_nameless      ? arena_printf(a, "key:%s", s->key)
                  : s->is_new_id_each ? arena_printf(a, "%s-%llu", s->name, n)
                                      : s->name;
    o->execution_id = arena_printf(a, "sim-%u-%llu", o->stream, n);
    const unsigned long long shape = any(m, o->stream, s->shapes), code = s->is_same_code ? 0 : n + 1;
    (void)snprintf(o->shape, sizeof o->shape, "%08x%08llx", o->stream, shape);
    (void)snprintf(o->tree, sizeof o->tree, "%08x%08llx", o->stream + 0x1000u, shape);
    (void)snprintf(o->code, sizeof o->code, "%032x%032llx", o->stream, code);
}

static int look(struct sim *m, struct one *o, struct error *err)
{
    int e = store_agent(&m->ledger, o->agent_id, o->key_id, &o->agent, err);
    if (e < 0)
        return e;
    struct agent *a = &o->agent;
    if (!a->is_known)
        a->trust = a->start = trust_start(&m->rules, a->bad_relatives);
    const struct trust_state state = agent_trust_state(a, &m->rules);
    o->trust = trust_drift(&m->rules, &state, o->now_ms, NULL);
    const bool is_found = o->kind == SIM_FINDING;
    o->facts = (struct level_facts){
        .has_agent = true,
        .trust = o->trust,
        .is_new = !a->is_known,
        .held = (int)a->level - 1,
        .evidence = { a->shapes, a->hours,
                      a->first_work_ms && o->now_ms > a->first_work_ms ? o->now_ms - a->first_work_ms : 0,
                      a->is_vouched, a->start },
        .is_nameless = o->s->is_nameless,
        .is_known_bad = o->is_known_bad,
        .was_asked = o->s->asks >= 0,
        .asked = (enum risk_level)MAX_OF(o->s->asks, 0),
        .was_scanned = true,
        .risk_increase = o->s->risk,
        .finding_count = o->s->risk || is_found,
        .worst_rule = "simulated",
    };
    struct strlist reasons = { 0 };
    e = level_decide(m->config, &o->facts, &o->level, &reasons, err);
    strlist_done(&reasons);
    return e;
}

static void add(struct violation *list, uint32_t *count, const char *type)
{
    list[(*count)++] = (struct violation){ .type = type, .detail = "simulated", .severity = violation_severity(type) };
}

static void note_standing(struct sim *m, struct one *o, uint8_t standing)
{
    struct group *g = o->g;
    (void)m;
    g->standing = MAX_OF(g->standing, standing);
    if (standing == STANDING_GOOD || g->quarantined_ms)
        return;
    g->quarantined_ms = o->now_ms;
    g->seen_until = g->seen;
}

static void note_trust(struct group *g, uint32_t trust)
{
    g->trust = trust;
    g->trust_least = MIN_OF(g->trust_least, trust);
}

/* What the level's policy refuses, or the memory of known-bad code: told to the ledger, as learn_refusal() does. */
static int refuse(struct sim *m, struct one *o, const char *type, struct error *err)
{
    struct settle_reply reply;
    struct refusal r = { .execution_id = o->execution_id,
                         .agent_id = o->agent_id,
                         .rule = type,
                         .level = (uint8_t)o->level.level,
                         .now_ms = o->now_ms,
                         .initial_trust = o->agent.trust,
                         .keeps_trust = m->config->agixt.trust.enabled,
                         .trust = m->rules,
                         .standing = standing_rules_from(m->config),
                         .key_id = o->key_id };
    add(r.violations, &r.violation_count, type);
    int e = store_refuse(&m->ledger, &r, &reply, err);
    if (e < 0)
        return e;
    if (violation_is_security(type))
        o->g->seen++;
    note_trust(o->g, reply.trust_after);
    note_standing(m, o, reply.standing_after);
    return 0;
}

static int reserve(struct sim *m, struct one *o, struct error *err)
{
    const struct profile *p = &m->policy[o->level.level].profile;
    const uint32_t work = m->config->agixt.trust.work_size;
    const struct reserve r = { .execution_id = o->execution_id,
                               .agent_id = o->agent_id,
                               .code_hash = o->code,
                               .language = "python",
                               .level = (uint8_t)o->level.level,
                               .now_ms = o->now_ms,
                               .owner_pid = (uint64_t)getpid(),
                               .owner_start = process_own_start(),
                               .trust_seen = o->agent.trust,
                               .initial_trust = o->agent.trust,
                               .limits = limit_rules_from(m->config, p),
                               .shape = o->shape,
                               .tree = o->s->size >= work ? o->tree : "",
                               .size = o->s->size,
                               .level_held = m->config->agixt.trust.enabled ? (uint8_t)(o->level.by_trust + 1) : 0,
                               .key_id = o->key_id,
                               .is_nameless = o->s->is_nameless,
                               .is_shape_known = o->is_known_bad,
                               .family_limit = m->config->security.responses.quarantine_on_violations,
                               .family_memory_ms = m->config->security.responses.violation_window };
    return store_reserve(&m->ledger, &r, &o->reserved, err);
}

static int settle(struct sim *m, struct one *o, struct error *err)
{
    static const struct {
        enum run_reason reason;
        const char *violation;
    } ends[SIM_KINDS] = {
        [SIM_SUCCESS] = { REASON_COMPLETED, NULL },
        [SIM_ERROR] = { REASON_ERROR, NULL },
        [SIM_TIMEOUT] = { REASON_TIMEOUT, NULL },
        [SIM_MEMORY] = { REASON_OOM, "memory_limit" },
        [SIM_FINDING] = { REASON_COMPLETED, NULL },
        [SIM_RESTRICTED] = { REASON_COMPLETED, "blocked_module" },
        [SIM_ATTEMPT] = { REASON_COMPLETED, "hostile_write" },
        [SIM_VIOLATION] = { REASON_KILLED, "privilege_escalation_attempt" },
        [SIM_CRITICAL] = { REASON_KILLED, "reverse_shells" },
        [SIM_STOPPED] = { REASON_KILLED, NULL },
    };
    struct settle_reply reply;
    struct settle s = { .execution_id = o->execution_id,
                        .reason = (uint8_t)ends[o->kind].reason,
                        .was_stopped = o->kind == SIM_STOPPED,
                        .now_ms = o->now_ms,
                        .use = { .cpu_us = 100000 },
                        .keeps_trust = m->config->agixt.trust.enabled,
                        .trust = m->rules,
                        .standing = standing_rules_from(m->config),
                        .has_bad_finding = o->kind == SIM_FINDING || o->is_known_bad };
    const char *type = ends[o->kind].violation;
    if (type)
        add(s.violations, &s.violation_count, type);
    int e = store_settle(&m->ledger, &s, &reply, err);
    if (e < 0)
        return e;
    if (type && violation_is_security(type))
        o->g->seen++;
    note_trust(o->g, reply.trust_after);
    note_standing(m, o, reply.standing_after);
    return 0;
}

static void note_level(struct one *o)
{
    struct group *g = o->g;
    g->at_level[o->level.level]++;
    if (o->level.level != RISK_HIGH)
        g->high_since_ms = 0;
    else if (!g->high_since_ms)
        g->high_since_ms = o->now_ms;
    else
        g->longest_high_ms = MAX_OF(g->longest_high_ms, o->now_ms - g->high_since_ms);
    if (o->level.level == RISK_LOW && g->low_ms == UINT64_MAX)
        g->low_ms = o->now_ms - BEGIN_MS - o->s->from_ms;
}

/* 1: decide again, knowing more. */
static int play(struct sim *m, struct one *o, struct error *err)
{
    int e = look(m, o, err);
    if (e < 0)
        return e;
    if (o->agent.standing != STANDING_GOOD) {
        o->g->refused_standing++;
        note_standing(m, o, o->agent.standing);
        return o->word = standing_names[o->agent.standing], 0;
    }
    if (o->needs < o->level.level) {
        o->g->refused_level++;
        note_level(o);
        return o->word = "refused by the level", refuse(m, o, "blocked_module", err);
    }
    if ((e = reserve(m, o, err)) < 0)
        return e;
    switch ((enum reserve_outcome)o->reserved.outcome) {
    case RESERVE_OK:
        o->g->ran++;
        note_level(o);
        return o->word = sim_kind_names[o->kind], settle(m, o, err);
    case RESERVE_LIMIT:
        o->g->refused_limit++;
        note_level(o);
        return o->word = limit_names[o->reserved.limit.limit], 0;
    case RESERVE_FAMILY:
        o->g->refused_standing++;
        note_standing(m, o, STANDING_QUARANTINED);
        return o->word = "refused for its family", 0;
    case RESERVE_KNOWN_BAD:
        return o->word = "known bad code", refuse(m, o, "known_bad_code", err);
    case RESERVE_SHAPE:
        o->is_known_bad = true;
        return 1;
    default: /* one run at a time: nothing changes in between */
        return err_set(err, -EPROTO, BLAME_US, "LEDGER", "an answer of kind %u", o->reserved.outcome);
    }
}

static void trace(const struct sim *m, const struct one *o)
{
    const uint64_t s = (o->now_ms - BEGIN_MS) / 1000;
    (void)fprintf(m->out, "%5lluh%02llum  %-24s %-7s %s %-7s %s -> %s\n", (unsigned long long)(s / 3600),
                  (unsigned long long)(s / 60 % 60), o->agent_id, sim_kind_names[o->kind], level_number(o->trust).text,
                  risk_level_names[o->level.level], o->word ? o->word : "?", level_number(o->g->trust).text);
}

static int run_one(struct sim *m, uint32_t stream, struct error *err)
{
    const struct sim_stream *s = &m->file.streams[stream];
    struct one o = { .stream = stream, .s = s, .g = &m->groups[stream], .number = m->next[stream] };
    int e = 1;
    arena_done(&m->scratch);
    m->scratch.failed = false;
    o.now_ms = BEGIN_MS + s->from_ms + o.number * s->every_ms;
    begin(m, &o);
    o.g->asked++;
    for (int tries = 0; e == 1 && tries < 3; tries++)
        e = play(m, &o, err);
    if (e == 0 && m->is_traced)
        trace(m, &o);
    return e > 0 ? err_set(err, -EPROTO, BLAME_US, "LEDGER", "a run that is never decided") : e;
}

static int vouch(struct sim *m, uint32_t stream, struct error *err)
{
    const struct sim_stream *s = &m->file.streams[stream];
    struct agent ignored;
    const struct steer r = { .verb = STEER_TRUST,
                             .may_create = true,
                             .agent_id = s->name,
                             .reason = "simulated",
                             .by = "simulation",
                             .trust = s->vouch,
                             .initial_trust = m->rules.initial,
                             .now_ms = BEGIN_MS + s->from_ms };
    return s->vouch == UINT32_MAX ? 0 : store_steer(&m->ledger, &r, &ignored, err);
}

/* The runs of all streams in the order of their times. */
static int run_all(struct sim *m, struct error *err)
{
    const struct sim_file *f = &m->file;
    int e = 0;
    for (uint32_t i = 0; i < f->stream_count && e == 0; i++) {
        m->random[i] = f->streams[i].seed * 1000 + i;
        m->groups[i] = (struct group){ .low_ms = UINT64_MAX, .trust = m->rules.initial, .trust_least = 1000 };
        e = vouch(m, i, err);
    }
    while (e == 0) {
        uint32_t best = UINT32_MAX;
        uint64_t best_ms = UINT64_MAX;
        for (uint32_t i = 0; i < f->stream_count; i++) {
            const uint64_t since = m->next[i] * f->streams[i].every_ms, at = f->streams[i].from_ms + since;
            if (since < f->streams[i].for_ms && at < best_ms)
                best = i, best_ms = at;
        }
        if (best == UINT32_MAX)
            return 0;
        e = run_one(m, best, err);
        m->next[best]++;
    }
    return e;
}

/* --- the answer ------------------------------------------------------------------------------------ */

static unsigned percent(uint64_t part, uint64_t whole)
{
    return whole ? (unsigned)((part * 100 + whole / 2) / whole) : 0;
}

static const char *say_hours(uint64_t ms, char out[static 24])
{
    if (ms == UINT64_MAX)
        return "-";
    (void)snprintf(out, 24, "%llu.%llu h", (unsigned long long)(ms / 3600000),
                   (unsigned long long)(ms % 3600000 / 360000));
    return out;
}

static void print_table(struct sim *m)
{
    (void)fprintf(m->out, "%-24s %7s %7s %7s %7s %7s  %5s %5s %5s  %5s %5s  %-11s %5s  %9s %9s\n", "STREAM", "ASKED",
                  "RAN", "LEVEL", "LIMIT", "KEPT", "HIGH", "MED", "LOW", "LEAST", "TRUST", "STANDING", "SEEN",
                  "KEPT FROM", "LOW FROM");
    for (uint32_t i = 0; i < m->file.stream_count; i++) {
        const struct group *g = &m->groups[i];
        const uint64_t levels = g->at_level[0] + g->at_level[1] + g->at_level[2];
        char kept[24], low[24];
        (void)fprintf(
            m->out, "%-24s %7llu %7llu %7llu %7llu %7llu  %4u%% %4u%% %4u%%  %s %s  %-11s %5llu  %9s %9s\n",
            m->file.streams[i].name, (unsigned long long)g->asked, (unsigned long long)g->ran,
            (unsigned long long)g->refused_level, (unsigned long long)g->refused_limit,
            (unsigned long long)g->refused_standing, percent(g->at_level[RISK_HIGH], levels),
            percent(g->at_level[RISK_MEDIUM], levels), percent(g->at_level[RISK_LOW], levels),
            level_number(g->trust_least).text, level_number(g->trust).text,
            standing_names[MIN_OF(g->standing, (uint8_t)STANDING_BANNED)], (unsigned long long)g->seen,
            say_hours(g->quarantined_ms ? g->quarantined_ms - BEGIN_MS - m->file.streams[i].from_ms : UINT64_MAX, kept),
            say_hours(g->low_ms, low));
    }
}

static bool holds(const struct sim_expect *x, const struct group *g)
{
    const uint64_t levels = g->at_level[0] + g->at_level[1] + g->at_level[2];
    switch (x->what) {
    case EXPECT_GOOD:
        return g->standing == STANDING_GOOD && !g->refused_standing;
    case EXPECT_QUARANTINED:
        return g->quarantined_ms && g->seen_until <= x->number;
    case EXPECT_LEVEL:
        return levels && (g->at_level[RISK_LOW] + g->at_level[RISK_MEDIUM]) * 1000 >= x->number * levels;
    case EXPECT_NOT_STUCK:
        return g->longest_high_ms < STUCK_MS;
    case EXPECT_LOW_AFTER:
        return g->low_ms >= x->number;
    case EXPECT_LOW:
        return g->low_ms != UINT64_MAX;
    case EXPECT_TRUST_MAX:
        return g->trust <= x->number;
    case EXPECT_TRUST_MIN:
        return g->trust >= x->number;
    case EXPECT_RAN:
        return g->ran * 1000 >= x->number * g->asked;
    }
    return false;
}

static int print_expects(struct sim *m)
{
    unsigned failed = 0;
    for (uint32_t i = 0; i < m->file.expect_count; i++) {
        const struct sim_expect *x = &m->file.expects[i];
        if (holds(x, &m->groups[x->stream]))
            continue;
        failed++;
        (void)fprintf(m->out, "not as expected, line %u: %s\n", x->line, x->text);
    }
    (void)fprintf(m->out, "%u of %u expectations hold\n", m->file.expect_count - failed, m->file.expect_count);
    return failed ? 1 : 0;
}

/* --- the command ------------------------------------------------------------------------------------ */

static int read_file(struct sim *m, const char *path, struct error *err)
{
    assert(path); /* parse() has refused a command without a file */
    char *text = arena_zero(m->arena, MAX_FILE + 1);
    if (!text)
        return err_set(err, -ENOMEM, BLAME_CALLER, NULL, "%s: no memory", path);
    FILE *f = str_eq(path, "-") ? stdin : fopen(path, "re");
    if (!f)
        return err_set(err, -errno, BLAME_CALLER, NULL, "%s: %s", path, strerror(errno));
    size_t n = fread(text, 1, MAX_FILE + 1, f);
    bool has_failed = ferror(f) != 0;
    (void)fclose(f); /* read only; nothing else reads the standard input */
    if (has_failed || n > MAX_FILE || memchr(text, '\0', n))
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "%s: %s", path,
                       has_failed ? "cannot be read" : "longer than 1 MiB, or not a text");
    int e = sim_read(text, &m->file, err);
    return e < 0 && !str_eq(path, "-") ? (err_wrap(err, "%s", path), e) : e;
}

static int load(struct sim *m, const char *config, struct error *err)
{
    for (unsigned i = 0; i < RISK_COUNT; i++) {
        const struct options o = { .config = config };
        int e = policy_load(&o, m->paths, NULL, risk_level_names[i], LANG_COUNT, &m->policy[i], err);
        if (e < 0)
            return e;
        m->policy_count++;
    }
    m->config = &m->policy[0].config;
    m->rules = trust_rules_from(m->config);
    return 0;
}

/* The ledger has its files open when it answers: then they need no name any more. */
static int start(struct sim *m, struct error *err)
{
    static const char *const names[] = { "state.db", "state.db-wal", "state.db-shm" };
    const char *tmp = getenv("TMPDIR");
    char *dir = (char *)arena_printf(m->arena, "%s/sandbox-simulate-XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
    struct agent ignored;
    if (!dir || !mkdtemp(dir))
        return err_set(err, -errno, BLAME_HOST, NULL, "a temporary directory in %s: %m", tmp ? tmp : "/tmp");
    int e = store_start(&m->ledger, arena_printf(m->arena, "%s/sandbox-ledger", m->paths->libexec),
                        arena_printf(m->arena, "%s/state.db", dir), &m->scratch, err);
    if (e == 0)
        e = store_agent(&m->ledger, "nobody", NULL, &ignored, err);
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        (void)unlink(arena_printf(m->arena, "%s/%s", dir, names[i]));
    (void)rmdir(dir); /* what is left in it is not ours */
    return e;
}

static int parse(struct sim *m, int argc, char **argv, const char **ret_file, const char **ret_config,
                 struct error *err)
{
    for (int i = 2; i < argc; i++) {
        if (str_eq(argv[i], "--trace"))
            m->is_traced = true;
        else if (str_eq(argv[i], "--config") && i + 1 < argc)
            *ret_config = argv[++i];
        else if (!*ret_file && (argv[i][0] != '-' || !argv[i][1]))
            *ret_file = argv[i];
        else
            return err_set(err, -EINVAL, BLAME_CALLER, NULL, "policy simulate: unexpected argument: %s", argv[i]);
    }
    if (*ret_file)
        return 0;
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "policy simulate: a file is missing");
    return err_remedy(err, "policy simulate [--config FILE] [--trace] FILE|-");
}

int cmd_policy_command(const struct paths *p, struct arena *a, int argc, char **argv)
{
    return argc > 1 && str_eq(argv[1], "simulate") ? cmd_simulate(p, a, argc, argv) : cmd_forward(p, a, argc, argv);
}

int cmd_simulate(const struct paths *p, struct arena *a, int argc, char **argv)
{
    static struct sim m;
    struct error err = { 0 };
    const char *file = NULL, *config = NULL;
    m = (struct sim){ .paths = p, .arena = a, .out = stdout };
    int e = parse(&m, argc, argv, &file, &config, &err), code = 0;
    if (e == 0)
        e = read_file(&m, file, &err);
    if (e == 0)
        e = load(&m, config, &err);
    if (e == 0)
        e = start(&m, &err);
    if (e == 0)
        e = run_all(&m, &err);
    if (e == 0) {
        print_table(&m);
        code = output_end(print_expects(&m));
    } else {
        (void)fprintf(stderr, "sandbox-agent: %s\n", err.text);
        if (err.remedy[0])
            (void)fprintf(stderr, "  remedy: %s\n", err.remedy);
        code = err.blame == BLAME_CALLER ? 2 : 125;
    }
    (void)store_close(&m.ledger);
    arena_done(&m.scratch);
    for (uint32_t i = 0; i < m.policy_count; i++)
        compiled_done(&m.policy[i]);
    return code;
}
