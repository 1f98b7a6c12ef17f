#include "run/ledger.h"
#include "run/judge.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "audit/audit.h"
#include "base/parse.h"
#include "audit/signature.h"
#include "policy/verdict.h"
#include "base/process.h"

void judge_init(struct judgement *j, struct arena *a, const char *execution_id)
{
    *j = (struct judgement){ .arena = a, .execution_id = execution_id, .scan = { .fd = -1, .pid = -1 } };
}

void judge_leave_scanner(struct judgement *j)
{
    if (j->is_scanning)
        scan_abandon(&j->scan);
    j->is_scanning = false;
    j->scanner = NULL;
}

void judge_done(struct judgement *j)
{
    judge_leave_scanner(j);
    (void)store_close(&j->ledger);
    strlist_done(&j->reasons);
    free(j->report_blob);
    j->report_blob = NULL;
}

void judge_add_violation(struct judgement *j, const char *type, const char *detail, uint64_t at_ms)
{
    for (uint32_t i = 0; i < j->violation_count; i++)
        if (str_eq(j->violations[i].type, type) && str_eq(j->violations[i].detail, detail))
            return;
    if (j->violation_count < ARRAY_LEN(j->violations))
        j->violations[j->violation_count++] = (struct violation){
            .type = type, .detail = detail, .at_ms = at_ms, .severity = violation_severity(type)
        };
}

struct intent judge_intent(const struct judgement *j)
{
    struct intent ret = { false, METADATA_NOT_NAMED };
    for (uint32_t i = 0; j->was_scanned && i < j->report.finding_count; i++) {
        const struct finding *f = &j->report.findings[i];
        bool is_high = f->severity >= SEVERITY_HIGH;
        if (is_high && (str_eq(f->family, "persistence") || str_eq(f->family, "privilege-escalation")))
            ret.writes = true;
        if (str_eq(f->family, "credentials") &&
            strstr(f->rule, "metadata")) /* of go, rust and text: any mention of it */
            ret.metadata = MAX_OF(ret.metadata, str_starts(f->rule, "python-") ? METADATA_ASKED : METADATA_NAMED);
    }
    return ret;
}

bool judge_has_bad_finding(const struct judgement *j)
{
    const struct finding *worst = j->was_scanned ? scan_report_worst(&j->report) : NULL;
    return j->is_known_bad || (worst && worst->severity >= SEVERITY_HIGH);
}

/* --- beginning ---------------------------------------------------------------------------------- */

/* A program's text, or a command's words, each with the NUL behind it. */
static void hash_code(struct judgement *j, const struct run_request *r)
{
    if (r->language == LANG_COMMAND)
        audit_hash(r->command.data, r->command.size, j->code_hash);
    else
        audit_hash(r->judged, r->judged_size, j->code_hash);
}

/* False: there is no text of it to scan. */
static bool command_program(struct judgement *j, const struct options *o, const struct run_request *r,
                            struct scan_request *s)
{
    const enum command_program where = scan_command_text(&r->command, &s->language, &s->code);
    if (where == COMMAND_TEXT)
        s->code_size = strlen(s->code);
    if (where != COMMAND_INPUT)
        return where == COMMAND_TEXT;
    s->code = o->input;
    s->code_size = o->input_size;
    j->has_unread_input |= o->stdin_file != NULL;
    return o->input != NULL;
}

static int begin_scan(struct judgement *j, const struct options *o, const struct paths *p, const struct config *c,
                      const struct run_request *r, bool writes_nothing, struct error *err)
{
    struct scan_request s = { .language = r->language,
                              .code = r->judged,
                              .code_size = r->judged_size,
                              .patterns = &c->agixt.analysis.patterns,
                              .rules_only = !c->agixt.analysis.resemblance,
                              .timeout_ms = (uint32_t)c->agixt.analysis.timeout,
                              .program = arena_printf(j->arena, "%s/sandbox-scan", p->libexec),
                              .rules_dir = arena_printf(j->arena, "%s/rules", p->data),
                              .cache_dir = writes_nothing ? NULL : p->cache,
                              .resident = j->scanner };
    if (!c->agixt.analysis.enabled)
        return 0;
    if (r->language == LANG_COMMAND && !command_program(j, o, r, &s))
        return 0;
    j->scan_us = clock_us();
    int e = scan_start(&s, &j->scan, err);
    j->is_scanning = e == 0;
    j->scan_language = s.language;
    return e;
}

int judge_begin(struct judgement *j, const struct options *o, const struct paths *p, const struct config *c,
                const struct run_request *r, bool writes_nothing, struct error *err)
{
    j->agent_id = r->agent_id;
    j->has_unread_input = o->has_input_fd || o->has_terminal;
    hash_code(j, r);
    int e = begin_scan(j, o, p, c, r, writes_nothing, err);
    if (e == 0 && o->agent_id && !store_is_open(&j->ledger))
        e = ledger_start(p, c, !writes_nothing, j->arena, &j->ledger, err);
    return e;
}

/* --- the level ------------------------------------------------------------------------------------ */

#define REMEMBERED_MS 1000u

bool judge_asks_again(struct judgement *j)
{
    const bool was_remembered = j->agent.is_remembered;
    if (was_remembered) {
        j->agent.is_remembered = false;
        j->must_ask = true;
        j->rule = NULL;
    }
    return was_remembered;
}

static int look_up(struct judgement *j, const struct config *c, uint64_t now_ms, struct error *err)
{
    int e = 0;
    if (!j->is_agent_told) { /* by the reservation that was refused for another trust */
        j->agent = (struct agent){ .id = j->agent_id };
        if (store_is_open(&j->ledger))
            e = store_agent_within(&j->ledger, j->agent_id, j->key_id, j->must_ask ? 0 : REMEMBERED_MS, &j->agent, err);
    }
    j->is_agent_told = false;
    const struct trust_rules rules = trust_rules_from(c);
    if (!j->agent.is_known)
        j->agent.trust = j->agent.start = trust_start(&rules, j->agent.bad_relatives);
    const struct trust_state state = agent_trust_state(&j->agent, &rules);
    j->trust = trust_drift(&rules, &state, now_ms, NULL);
    return e;
}

static int check_standing(struct judgement *j, struct error *err)
{
    if (j->agent.standing == STANDING_GOOD)
        return 0;
    j->rule = j->agent.standing == STANDING_BANNED ? "banned" : "quarantined";
    (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "agent %s is %s: %s", j->agent_id, j->rule,
                  j->agent.standing_reason && *j->agent.standing_reason ? j->agent.standing_reason
                                                                        : "no reason was given");
    return err_remedy(err, "an administrator can release it: sandbox-agent agents release ID --reason TEXT");
}

/* Where the configuration asks for one, and wherever one is given: who signs wants it to be looked at. */
static int check_signature(struct judgement *j, const struct options *o, const struct config *c,
                           const struct run_request *r, uint64_t now_ms, struct error *err)
{
    if (!c->security.verify_signatures && !o->signature)
        return 0;
    j->rule = "verify_signatures";
    if (r->language == LANG_COMMAND) {
        (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "commands cannot be signed%s",
                      c->security.verify_signatures ? ", and security.verify_signatures is true" : "");
        return err_remedy(err, "put it into a program of language bash");
    }
    if (!j->agent_id) {
        (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "an anonymous run has no key to sign with%s",
                      c->security.verify_signatures ? ", and security.verify_signatures is true" : "");
        return err_remedy(err, "give %s and %s; sandbox-agent sign makes one", request_word(o->words, REQUEST_AGENT_ID),
                          request_word(o->words, REQUEST_SIGNATURE));
    }
    if (!o->signature) {
        (void)err_set(err, -EACCES, BLAME_POLICY, NULL,
                      "the code is not signed, and security.verify_signatures is true");
        return err_remedy(err, "give %s; sandbox-agent sign makes one", request_word(o->words, REQUEST_SIGNATURE));
    }
    if (!j->agent.public_key) {
        (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "agent %s has no key that its signature could be checked with",
                      j->agent_id);
        return err_remedy(err, "register it: sandbox-agent agents key ID --public HEX --reason TEXT");
    }
    struct signature found;
    int e = signature_check(o->signature, j->agent_id, j->agent.public_key, r->judged, r->judged_size, now_ms, &found,
                            err);
    if (e == -EKEYREJECTED)
        judge_add_violation(j, "signature_invalid", j->agent_id, 0);
    if (e == -EINVAL && err->blame == BLAME_CALLER)
        return request_blame(o->words, err, REQUEST_SIGNATURE);
    if (e < 0)
        return e;
    j->nonce = arena_copy(j->arena, found.nonce);
    j->rule = NULL;
    return 0;
}

static int finish_scan(struct judgement *j, struct error *err)
{
    if (!j->is_scanning)
        return 0;
    int e = scan_finish(&j->scan, &j->report, &j->report_blob, err);
    j->is_scanning = false;
    j->was_scanned = e == 0;
    j->scanned_us = clock_us();
    if (e == 0)
        j->need_count = scan_report_needs(&j->report, j->needs);
    if (e == 0 && j->report.shape && *j->report.shape) { /* «set-tree-size», checked when it arrived */
        uint64_t size = 0;
        (void)snprintf(j->shape, sizeof j->shape, "%.16s", j->report.shape);
        (void)snprintf(j->tree, sizeof j->tree, "%.16s", j->report.shape + 17);
        (void)parse_u64(j->report.shape + 34, &size);
        j->size = (uint32_t)size;
    }
    return e;
}

static struct level_facts facts_of(const struct judgement *j, const struct options *o, enum risk_level asked,
                                   uint64_t now_ms)
{
    const struct agent *a = &j->agent;
    const struct finding *worst = j->was_scanned ? scan_report_worst(&j->report) : NULL;
    const struct finding *blocking = j->was_scanned ? scan_report_blocking(&j->report) : NULL;
    struct level_facts f = {
        .has_agent = j->agent_id,
        .trust = j->trust,
        .is_new = j->agent_id && !j->agent.is_known,
        .held = (int)a->level - 1,
        .evidence = { .shapes = a->shapes,
                      .hours = a->hours,
                      .age_ms = a->first_work_ms && now_ms > a->first_work_ms ? now_ms - a->first_work_ms : 0,
                      .is_vouched = a->is_vouched,
                      .start = a->start },
        .is_nameless = j->is_nameless,
        .is_known_bad = j->is_known_bad,
        .may_override = j->may_override,
        .was_asked = o->has_level || o->profile,
        .has_own_profile = o->profile,
        .asked = asked,
        .was_scanned = j->was_scanned,
        .by_patterns_only = j->was_scanned && !j->report.has_syntax,
        .risk_increase = j->was_scanned ? j->report.risk_increase : 0,
        .need_count = j->was_scanned ? j->need_count : 0,
        .needs = j->was_scanned ? j->needs : NULL,
        .finding_count = j->was_scanned ? scan_report_count(&j->report) : 0,
        .worst_rule = worst ? worst->rule : NULL,
        .blocking_rule = blocking ? blocking->rule : NULL,
    };
    return f;
}

int judge_level(struct judgement *j, const struct options *o, const struct config *c, const struct run_request *r,
                enum risk_level asked, uint64_t now_ms, struct error *err)
{
    int e = 0;
    strlist_done(&j->reasons);
    if (j->agent_id) {
        e = look_up(j, c, now_ms, err);
        j->facts = facts_of(j, o, asked, now_ms); /* what a refusal before the scan is recorded with */
        if (e == 0)
            e = check_standing(j, err);
    }
    if (e == 0)
        e = check_signature(j, o, c, r, now_ms, err);
    if (e == 0)
        e = finish_scan(j, err);
    if (e < 0)
        return e;
    j->facts = facts_of(j, o, asked, now_ms);
    struct level_result found = { .level = j->level, .by_trust = j->by_trust };
    e = level_decide(c, &j->facts, &found, &j->reasons, err);
    if (e < 0)
        j->rule = "trust";
    j->level = found.level;
    j->by_trust = found.by_trust;
    j->has_sum = found.has_sum;
    j->sum = found.sum;
    return e;
}

/* --- what the level's policy says -------------------------------------------------------------------- */

/* Names that the level blocks, as far as the scan saw them: all are violations, the first is the reason. Not for a
 * command's text: language rules are for programs of that language. */
/* A restriction's remedy says how far the agent is from the level that offers it. */
static int refuse_restricted(struct judgement *j, const struct config *c, const struct profile *p, const char *remedy,
                             struct error *err)
{
    char way[256];
    level_way_up(c, &j->facts, (enum risk_level)p->risk_level, way);
    return *way ? err_remedy(err, "%s (%s)", remedy, way) : err_remedy(err, "%s", remedy);
}

static int check_names(struct judgement *j, const struct config *c, const struct profile *p,
                       const struct run_request *r, struct error *err)
{
    const struct scan_name *first = NULL;
    const char *first_rule = NULL;
    for (uint32_t i = 0; j->was_scanned && r->language == j->scan_language && i < j->report.name_count; i++) {
        const struct scan_name *n = &j->report.names[i];
        const char *rule = name_rule_against(p, j->scan_language, (enum name_kind)n->kind, n->name);
        if (!rule)
            continue;
        judge_add_violation(j, name_violation_type((enum name_kind)n->kind), n->name, 0);
        if (!first)
            first = n, first_rule = rule;
    }
    if (!first)
        return 0;
    static const char *const what[] = {
        [NAME_MODULE] = "module", [NAME_COMMAND] = "command", [NAME_BUILTIN] = "builtin"
    };
    j->rule = first_rule;
    (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "line %u: %s %s is blocked at level %s (languages.%s.%s)",
                  first->line, what[first->kind], first->name, risk_level_names[p->risk_level],
                  language_names[j->scan_language], first_rule);
    return refuse_restricted(j, c, p, "leave it out, or use a level or a profile that permits it", err);
}

/* What the scan's own rules are sure enough of. A pattern of the configuration has raised the risk, and no more. */
static int check_findings(struct judgement *j, const struct config *c, struct error *err)
{
    const struct finding *worst = j->was_scanned ? scan_report_blocking(&j->report) : NULL;
    if (!worst || !c->agixt.analysis.block_on_detection)
        return 0;
    j->rule = worst->rule; /* no violation: code that looks like something has not done it */
    (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "line %u: %s: %s (agixt.analysis.block_on_detection is true)",
                  worst->line, worst->rule, worst->message);
    return err_remedy(err, "sandbox-agent scan FILE shows all findings");
}

int judge_permit(struct judgement *j, const struct config *c, const struct profile *p, const struct run_request *r,
                 struct error *err)
{
    int e = check_findings(j, c, err);
    if (e == 0 && (e = verdict_decide(c, p, r, err)) < 0) {
        const char *remedy = arena_copy(j->arena, err->remedy);
        j->rule = "profile";
        if (err->blame == BLAME_POLICY)
            (void)refuse_restricted(j, c, p, remedy ? remedy : "", err);
    }
    if (e == 0)
        e = check_names(j, c, p, r, err);
    return e;
}

/* --- the reservation ------------------------------------------------------------------------------------ */

static int refuse_budget(struct judgement *j, uint64_t seconds, struct error *err)
{
    const struct limit_verdict *v = &j->reserved.limit;
    uint64_t divisor;
    const char *unit = limit_unit((enum limit_name)v->limit, &divisor);
    (void)err_set(err, -EAGAIN, BLAME_POLICY, NULL, "budget %s is used up: %llu%s of %llu%s since 00:00 UTC", j->rule,
                  (unsigned long long)(v->used / divisor), unit, (unsigned long long)(v->allowed / divisor), unit);
    return err_remedy(err,
                      "it begins anew in %llu seconds, at 00:00 UTC; an administrator raises it with rate_limiting.%s; "
                      "sandbox-agent usage shows what used it",
                      (unsigned long long)seconds, j->rule);
}

static int refuse_limit(struct judgement *j, struct error *err)
{
    const struct limit_verdict *v = &j->reserved.limit;
    uint64_t seconds = (v->wait_ms + 999) / 1000, divisor;
    j->rule = limit_names[v->limit];
    j->retry_after_ms = v->wait_ms;
    if (limit_is_budget((enum limit_name)v->limit))
        return refuse_budget(j, seconds, err);
    const char *unit = limit_unit((enum limit_name)v->limit, &divisor);
    (void)err_set(err, -EAGAIN, BLAME_POLICY, NULL, "rate limit %s: %llu%s of %llu%s used; wait %llu s", j->rule,
                  (unsigned long long)(v->used / divisor), unit, (unsigned long long)(v->allowed / divisor), unit,
                  (unsigned long long)seconds);
    return err_remedy(err, "try again in %llu seconds", (unsigned long long)seconds);
}

static const char *say_day(uint64_t ms, char out[static 32])
{
    time_t t = (time_t)(ms / 1000);
    struct tm tm;
    return gmtime_r(&t, &tm) && strftime(out, 32, "%Y-%m-%d", &tm) ? out : "an unknown day";
}

/* The key's own name is no way around what one of its agents did. */
static int refuse_family(struct judgement *j, struct error *err)
{
    j->rule = "family";
    (void)err_set(err, -EACCES, BLAME_POLICY, NULL,
                  j->is_nameless
                      ? "agent %s of this key is in quarantine or banned: a request without an agent id is refused"
                      : "several agents of this key offended, %s among them: a new agent of it is refused",
                  j->reserved.known_agent);
    return err_remedy(err,
                      "name an agent in good standing, or have an administrator look at %s: sandbox-agent agents "
                      "show --why, then release",
                      j->reserved.known_agent);
}

static int refuse_known(struct judgement *j, struct error *err)
{
    char day[32];
    const struct reserve_reply *k = &j->reserved;
    j->rule = "known_bad_code";
    judge_add_violation(j, "known_bad_code",
                        arena_printf(j->arena, "%s of agent %s on %s, stopped by the memory of known-bad code",
                                     k->known_type ? k->known_type : "an offence", k->known_agent,
                                     say_day(k->known_ms, day)),
                        0);
    (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "this very code is known as bad: %s of agent %s on %s",
                  k->known_type ? k->known_type : "an offence", k->known_agent, say_day(k->known_ms, day));
    return err_remedy(err, "if that was an error, an administrator's `sandbox-agent agents release %s` forgets it",
                      k->known_agent);
}

static int refuse_replay(struct judgement *j, struct error *err)
{
    j->rule = "verify_signatures";
    judge_add_violation(j, "signature_replay", j->agent_id, 0);
    (void)err_set(err, -EACCES, BLAME_POLICY, NULL, "the signature was used before: agent %s, nonce %s", j->agent_id,
                  j->nonce);
    return err_remedy(err, "sign each run anew: sandbox-agent sign");
}

int judge_reserve(struct judgement *j, const struct config *c, const struct profile *p, const struct run_request *r,
                  uint64_t now_ms, struct error *err)
{
    if (!j->agent_id || !store_is_open(&j->ledger))
        return 0;
    const struct reserve q = { .execution_id = j->execution_id,
                               .agent_id = j->agent_id,
                               .code_hash = j->code_hash,
                               .language = language_names[r->language],
                               .level = (uint8_t)p->risk_level,
                               .now_ms = now_ms,
                               .owner_pid = (uint64_t)getpid(),
                               .owner_start = process_own_start(),
                               .trust_seen = j->agent.trust,
                               .initial_trust = j->agent.is_known ? trust_rules_from(c).initial : j->agent.trust,
                               .limits = r->session == SESSION_JOB ? limit_rules_of_job(c, p) : limit_rules_from(c, p),
                               .nonce = j->nonce,
                               .shape = j->shape,
                               .tree = j->size >= c->agixt.trust.work_size ? j->tree : "",
                               .size = r->is_cell ? 0 : j->size, /* cells add up: each has a shape of its own, and is
                                                                    no evidence of other work */
                               .level_held = c->agixt.trust.enabled ? (uint8_t)(j->by_trust + 1) : 0,
                               .key_id = j->key_id,
                               .is_nameless = j->is_nameless,
                               .is_shape_known = j->is_known_bad,
                               .family_limit = c->security.responses.quarantine_on_violations,
                               .family_memory_ms = c->security.responses.violation_window,
                               .accept = j->accept };
    int e = store_reserve(&j->ledger, &q, &j->reserved, err);
    j->agent.is_remembered = false; /* the store has looked at it now */
    if (e < 0)
        return e;
    switch ((enum reserve_outcome)j->reserved.outcome) {
    case RESERVE_OK:
        j->is_reserved = true;
        return 0;
    case RESERVE_RETRY:
        j->agent = j->reserved.agent;
        j->is_agent_told = j->agent.is_known;
        return 1;
    case RESERVE_STANDING:
        j->agent = j->reserved.agent;
        return check_standing(j, err);
    case RESERVE_LIMIT:
        return refuse_limit(j, err);
    case RESERVE_REPLAY:
        return refuse_replay(j, err);
    case RESERVE_FAMILY:
        return refuse_family(j, err);
    case RESERVE_KNOWN_BAD:
        return refuse_known(j, err);
    case RESERVE_SHAPE: /* the level is decided again, knowing it */
        j->is_known_bad = true;
        return 1;
    case RESERVE_KEYS: /* the service's to answer: service.c */
    case RESERVE_OUTCOMES:
        break;
    }
    return err_set(err, -EBADMSG, BLAME_US, "LEDGER", "an answer of kind %u", j->reserved.outcome);
}
