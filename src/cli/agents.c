/* agents.c - the command `agents`: what is remembered of them, and what an administrator does about it.
 *
 * An act is written into the audit before it is done; when that fails, it is not done.
 */
#include <ctype.h>
#include <stdio.h>

#include "base/json.h"
#include "base/parse.h"
#include "cli/agents_print.h"
#include "cli/cmd.h"
#include "run/ledger.h"
#include "run/judge.h"
#include "run/policy.h"
#include "run/result.h"
#include "run/trail.h"

struct request {
    const char *verb, *agent_id, *value; /* value: of `trust` */
    const char *reason, *config, *public_key, *after;
    bool json, removes_key, may_create, help, why;
};

struct call {
    const struct paths *paths;
    struct arena *arena;
    struct request ask;
    struct compiled policy;
    struct trust_rules rules;
    struct store ledger;
    bool is_new_place; /* there is no database, and looking makes none */
    uint64_t now_ms;
    struct look look;
    struct buf out;
};

static const struct verb {
    const char *name, *action, *usage;
    enum steer_verb steer;
    bool needs_agent, is_act, may_create;
} verbs[] = {
    { "list", NULL, "list [--after ID]", 0, false, false, false },
    { "show", NULL, "show ID [--why]", 0, true, false, false },
    { "trust", "agent-trust-set", "trust ID SCORE --reason TEXT [--new]", STEER_TRUST, true, true, false },
    { "quarantine", "agent-quarantined", "quarantine ID --reason TEXT", STEER_QUARANTINE, true, true, true },
    { "release", "agent-released", "release ID --reason TEXT", STEER_RELEASE, true, true, false },
    { "ban", "agent-banned", "ban ID --reason TEXT", STEER_BAN, true, true, true },
    { "key", "agent-key-registered", "key ID --public HEX|--remove --reason TEXT", STEER_KEY, true, true, true },
};

/* --- words ---------------------------------------------------------------------------------------- */

static void usage(FILE *to)
{
    (void)fprintf(to, "usage: sandbox-agent agents VERB [--json] [--config FILE]\n");
    for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
        (void)fprintf(to, "  sandbox-agent agents %s\n", verbs[i].usage);
    (void)fprintf(to, "trust --new, quarantine, ban and key also take an agent that has not run yet.\n"
                      "exit: 0 done, 2 usage or unknown agent, 125 the store or the audit cannot be used\n");
}

static int bad(struct error *err, const char *remedy, const char *fmt, const char *value)
{
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, fmt, value);
    return err_remedy(err, "%s", remedy);
}

static const struct verb *find_verb(const char *name)
{
    for (size_t i = 0; name && i < ARRAY_LEN(verbs); i++)
        if (str_eq(name, verbs[i].name))
            return &verbs[i];
    return NULL;
}

static bool take_flag(struct request *r, const char *word)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = { { "--json", &r->json },
                  { "--remove", &r->removes_key },
                  { "--new", &r->may_create },
                  { "--help", &r->help },
                  { "--why", &r->why } };
    for (size_t i = 0; i < ARRAY_LEN(flags); i++)
        if (str_eq(word, flags[i].name))
            return *flags[i].flag = true;
    return false;
}

/* --name VALUE or --name=VALUE. 1: taken, 0: not this one. */
static int take_option(struct request *r, int argc, char **argv, int *i, struct error *err)
{
    const struct {
        const char *name, **value;
    } options[] = {
        { "--reason", &r->reason }, { "--config", &r->config }, { "--public", &r->public_key }, { "--after", &r->after }
    };
    for (size_t k = 0; k < ARRAY_LEN(options); k++) {
        size_t n = strlen(options[k].name);
        if (strncmp(argv[*i], options[k].name, n) != 0 || (argv[*i][n] && argv[*i][n] != '='))
            continue;
        if (argv[*i][n])
            *options[k].value = argv[*i] + n + 1;
        else if (*i + 1 < argc)
            *options[k].value = argv[++*i];
        else
            return bad(err, "see sandbox-agent agents --help", "%s: a value is missing", options[k].name);
        return 1;
    }
    return 0;
}

static int parse(int argc, char **argv, struct request *ret, struct error *err)
{
    const char **words[] = { &ret->verb, &ret->agent_id, &ret->value };
    size_t count = 0;
    bool only_words = false;
    for (int i = 1; i < argc; i++) {
        if (!only_words && str_eq(argv[i], "--")) {
            only_words = true;
            continue;
        }
        if (!only_words && argv[i][0] == '-' && argv[i][1]) {
            int e = take_flag(ret, argv[i]) ? 1 : take_option(ret, argc, argv, &i, err);
            if (e < 0)
                return e;
            if (e == 0)
                return bad(err, "see sandbox-agent agents --help; an agent whose name begins with - goes behind --",
                           "unknown option %s", argv[i]);
            continue;
        }
        if (count == ARRAY_LEN(words))
            return bad(err, "see sandbox-agent agents --help", "one word too many: %s", argv[i]);
        *words[count++] = argv[i];
    }
    return 0;
}

static int check_key(struct request *r, struct arena *a, struct error *err)
{
    if (r->removes_key != (r->public_key == NULL))
        return bad(err, "give --public HEX to register a key, or --remove", "agents %s: --public or --remove", "key");
    if (!r->public_key)
        return 0;
    char *lower = (char *)arena_copy(a, r->public_key);
    for (char *p = lower; *p; p++)
        *p = (char)tolower((unsigned char)*p);
    if (strlen(lower) != 64 || strspn(lower, "0123456789abcdef") != 64)
        return bad(err, "it is what sandbox-agent sign --generate prints",
                   "--public %s: expected an Ed25519 public key, 64 hex digits", r->public_key);
    r->public_key = lower;
    return 0;
}

static int check(const struct verb *v, struct request *r, struct arena *a, struct error *err)
{
    static const char see[] = "see sandbox-agent agents --help";
    if (r->why && !str_eq(v->name, "show"))
        return bad(err, see, "agents %s: --why is for show", v->name);
    if (v->needs_agent && !r->agent_id)
        return bad(err, see, "agents %s: which agent?", v->name);
    if (!v->needs_agent && r->agent_id)
        return bad(err, see, "one word too many: %s", r->agent_id);
    if (r->agent_id && !agent_id_is_valid(r->agent_id))
        return bad(err, AGENT_ID_REMEDY, "agents %s: an id has " AGENT_ID_ACCEPTED, v->name);
    if (v->is_act && (!r->reason || !*r->reason))
        return bad(err, "give --reason TEXT: it goes into the audit", "agents %s: a reason is missing", v->name);
    if (r->reason && strlen(r->reason) > STORE_TEXT_MAX)
        return bad(err, "say it in at most 400 bytes", "agents %s: the reason is too long", v->name);
    if ((v->steer == STEER_TRUST && v->is_act) != (r->value != NULL))
        return bad(err, see, r->value ? "one word too many: %s" : "agents %s: which score?",
                   r->value ? r->value : v->name);
    return v->steer == STEER_KEY && v->is_act ? check_key(r, a, err) : 0;
}

/* --- place and policy ------------------------------------------------------------------------------- */

static int load(struct call *s, struct error *err)
{
    const struct options o = { .config = s->ask.config };
    int e = policy_load(&o, s->paths, NULL, NULL, LANG_COUNT, &s->policy, err);
    if (e == 0)
        s->rules = trust_rules_from(&s->policy.config);
    return e;
}

static int start(struct call *s, bool may_make, struct error *err)
{
    int e = ledger_start(s->paths, &s->policy.config, may_make, s->arena, &s->ledger, err);
    s->is_new_place = e == 0 && !store_is_open(&s->ledger);
    return e;
}

/* --- verbs ------------------------------------------------------------------------------------------ */

static int unknown_agent(const struct call *s, struct error *err)
{
    (void)err_set(err, -ENOENT, BLAME_CALLER, NULL, "agent %s is not known", s->ask.agent_id);
    return err_remedy(err, "sandbox-agent agents list shows those that are");
}

static int look_up(struct call *s, struct agent *ret, struct error *err)
{
    *ret = (struct agent){ .id = s->ask.agent_id, .standing_reason = "", .standing_by = "" };
    return s->is_new_place ? 0 : store_agent(&s->ledger, s->ask.agent_id, NULL, ret, err);
}

static int do_list(struct call *s, struct error *err)
{
    cleanup(freep) struct agent_list *list = calloc(1, sizeof *list);
    if (!list)
        return err_set(err, -ENOMEM, BLAME_HOST, "STORE", "no memory");
    int e = s->is_new_place ? 0 : store_agents(&s->ledger, s->ask.after, list, err);
    if (e < 0)
        return e;
    if (s->ask.json)
        agents_json_list(&s->out, list, &s->rules, s->now_ms);
    else
        agents_print_list(&s->out, &s->look, list, &s->rules, s->now_ms);
    return 0;
}

static int do_show(struct call *s, struct error *err)
{
    struct agent agent;
    struct trust_history history = { 0 };
    int e = look_up(s, &agent, err);
    if (e == 0 && !agent.is_known)
        return unknown_agent(s, err);
    if (e == 0)
        e = store_history(&s->ledger, s->ask.agent_id, &history, err);
    if (e < 0)
        return e;
    struct agent_why why = { 0 };
    const struct why_view view = { s->ask.why ? &why : NULL, &s->policy.config, NULL };
    if (s->ask.why)
        e = store_why(&s->ledger, s->ask.agent_id, &why, err);
    if (e < 0)
        return e;
    if (s->ask.json)
        agents_json_one(&s->out, &agent, &history, &view, &s->rules, s->now_ms);
    else
        agents_print_one(&s->out, &s->look, &agent, &history, &s->rules, s->now_ms);
    if (s->ask.why && !s->ask.json)
        agents_print_why(&s->out, &s->look, &agent, &view, &s->rules, s->now_ms);
    return 0;
}

static int read_score(const struct call *s, uint32_t *ret, struct error *err)
{
    char low[32], high[32];
    if (parse_ratio(s->ask.value, ret) == 0 && *ret >= s->rules.min && *ret <= s->rules.max)
        return 0;
    (void)err_set(err, -EINVAL, BLAME_CALLER, NULL, "trust %s: expected a score between %s and %s", s->ask.value,
                  format_milli(s->rules.min, low), format_milli(s->rules.max, high));
    return err_remedy(err, "agixt.trust.min_score and max_score are the bounds");
}

/* Members of the audit line, beside action, agent and reason. */
static const char *detail_of(struct call *s, const struct verb *v, const struct agent *before, uint32_t trust)
{
    struct buf b;
    buf_init(&b, 1024);
    if (v->steer == STEER_TRUST) {
        json_key(&b, "trust");
        json_open(&b, '{');
        json_key(&b, "before"), json_milli(&b, before->is_known ? before->trust : s->rules.initial);
        json_key(&b, "after"), json_milli(&b, trust);
        json_close(&b, '}');
    } else if (v->steer == STEER_KEY) {
        json_key(&b, "public_key"), json_put_string(&b, s->ask.public_key);
    } else {
        json_key(&b, "standing_before");
        json_put_string(&b, standing_names[MIN_OF(before->standing, (uint8_t)STANDING_BANNED)]);
    }
    const char *text = b.failed || !b.data ? NULL : arena_copy(s->arena, b.data);
    buf_done(&b);
    return text;
}

static const char *action_of(const struct call *s, const struct verb *v)
{
    return s->ask.removes_key ? "agent-key-removed" : v->action;
}

static int steer(struct call *s, const struct verb *v, uint32_t trust, bool may_create, struct agent *ret,
                 struct error *err)
{
    const struct steer r = { .verb = (uint8_t)v->steer,
                             .may_create = may_create,
                             .agent_id = s->ask.agent_id,
                             .reason = s->ask.reason,
                             .by = arena_printf(s->arena, "uid %u", (unsigned)getuid()),
                             .public_key = s->ask.public_key,
                             .trust = trust,
                             .initial_trust = s->rules.initial,
                             .now_ms = s->now_ms };
    int e = store_steer(&s->ledger, &r, ret, err);
    if (e < 0) /* the audit says that it was done: it must not stay alone with that. The failure itself is told below */
        (void)trail_admin(s->paths, &s->policy.config, s->arena, "agent-change-failed", s->ask.agent_id, err->text,
                          NULL, NULL);
    return e;
}

static int do_act(struct call *s, const struct verb *v, struct error *err)
{
    struct agent agent;
    uint32_t trust = 0;
    bool may_create = v->may_create || (s->ask.may_create && v->steer == STEER_TRUST);
    int e = v->steer == STEER_TRUST ? read_score(s, &trust, err) : 0;
    if (e == 0)
        e = look_up(s, &agent, err);
    if (e < 0)
        return e;
    if (!agent.is_known && !may_create)
        return unknown_agent(s, err);
    if (!agent.is_known && !agent_id_is_accepted(s->ask.agent_id))
        return bad(err, AGENT_ID_REMEDY, "agent %s: an id has " AGENT_ID_ACCEPTED, s->ask.agent_id);
    e = trail_admin(s->paths, &s->policy.config, s->arena, action_of(s, v), s->ask.agent_id, s->ask.reason,
                    detail_of(s, v, &agent, trust), err);
    if (e == 0)
        e = steer(s, v, trust, may_create, &agent, err);
    if (e < 0)
        return e;
    if (s->ask.json)
        agents_json_one(&s->out, &agent, NULL, NULL, &s->rules, s->now_ms);
    else
        agents_print_one(&s->out, &s->look, &agent, &(struct trust_history){ 0 }, &s->rules, s->now_ms);
    return 0;
}

static int act(struct call *s, struct error *err)
{
    const struct verb *v = find_verb(s->ask.verb);
    if (!v)
        return bad(err, "see sandbox-agent agents --help", s->ask.verb ? "agents %s: unknown" : "agents: what to do?%s",
                   s->ask.verb ? s->ask.verb : "");
    int e = check(v, &s->ask, s->arena, err);
    if (e == 0)
        e = load(s, err);
    if (e == 0)
        e = start(s, v->is_act && (v->may_create || s->ask.may_create), err);
    if (e < 0)
        return e;
    return v->is_act ? do_act(s, v, err) : str_eq(v->name, "list") ? do_list(s, err) : do_show(s, err);
}

/* --- the command -------------------------------------------------------------------------------------- */

static int tell(const struct error *err)
{
    struct buf b;
    buf_init(&b, 8192);
    error_print(err, &b);
    (void)fputs(b.data ? b.data : "", stderr);
    buf_done(&b);
    return err->blame == BLAME_CALLER ? 2 : err->blame == BLAME_POLICY ? 123 : 125;
}

int cmd_agents(const struct paths *p, struct arena *a, int argc, char **argv)
{
    struct error err = { 0 };
    struct call s = { .paths = p, .arena = a, .now_ms = wall_clock_ms() };
    int e = parse(argc, argv, &s.ask, &err);
    if (e == 0 && s.ask.help) {
        usage(stdout);
        return 0;
    }
    s.look = look_find();
    buf_init(&s.out, 4 * MIB);
    if (e == 0)
        e = act(&s, &err);
    if (e == 0 && s.out.failed)
        e = err_set(&err, -ENOMEM, BLAME_HOST, NULL, "no memory for the answer");
    int code = e < 0 ? tell(&err) : 0;
    if (e == 0) {
        (void)fwrite(s.out.data, 1, s.out.size, stdout);
        code = output_end(0);
    }
    buf_done(&s.out);
    (void)store_close(&s.ledger);
    if (s.policy.blob)
        compiled_done(&s.policy);
    return code;
}
