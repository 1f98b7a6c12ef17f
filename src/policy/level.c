#include "policy/level.h"

#include <stdio.h>

/* Thresholds as they are for this agent. What it holds it keeps until its score is clearly below (hysteresis). */
struct ladder {
    uint32_t low, medium;
};

static struct ladder ladder_of(const struct config *c, const struct level_facts *f, uint32_t score)
{
    const uint32_t slack = c->agixt.trust.hysteresis;
    struct ladder l = { c->sandbox.risk_mapping.low_risk_threshold, c->sandbox.risk_mapping.medium_risk_threshold };
    if (f->has_agent && f->held == RISK_LOW && score < l.low && score + slack >= l.low)
        l.low = score;
    if (f->has_agent && (f->held == RISK_LOW || f->held == RISK_MEDIUM) && score < l.medium &&
        score + slack >= l.medium)
        l.medium = score;
    return l;
}

static enum risk_level level_of(const struct ladder *l, uint32_t score)
{
    if (score >= l->low)
        return RISK_LOW;
    return score >= l->medium ? RISK_MEDIUM : RISK_HIGH;
}

static uint32_t threshold_of(const struct config *c, enum risk_level level)
{
    const uint32_t thresholds[RISK_COUNT] = {
        [RISK_LOW] = c->sandbox.risk_mapping.low_risk_threshold,
        [RISK_MEDIUM] = c->sandbox.risk_mapping.medium_risk_threshold,
        [RISK_HIGH] = c->sandbox.risk_mapping.high_risk_threshold,
    };
    return thresholds[level];
}

struct level_number level_number(uint32_t milli)
{
    struct level_number n;
    (void)snprintf(n.text, sizeof n.text, "%u.%03u", milli / 1000, milli % 1000);
    return n;
}

/* Findings, and what the configuration makes of needs: by themselves these are facts. */
static uint32_t scan_risk(const struct config *c, const struct level_facts *f)
{
    const uint64_t needs = (uint64_t)f->need_count * c->agixt.analysis.needs_risk;
    return (uint32_t)MIN_OF(f->risk_increase + needs, UINT64_C(1000));
}

static bool scan_counts(const struct config *c, const struct level_facts *f)
{
    const uint32_t risk = scan_risk(c, f);
    return f->was_scanned && risk && risk >= c->agixt.analysis.threshold && c->agixt.execution.auto_risk_detection;
}

static const char *worst_of(const struct level_facts *f)
{
    return f->worst_rule ? f->worst_rule : f->need_count ? "what it needs" : "unnamed";
}

static void tell_scan(const struct config *c, const struct level_facts *f, struct strlist *reasons)
{
    if (!f->was_scanned) {
        (void)strlist_addf(reasons, "scan: none%s",
                           c->agixt.analysis.enabled ? "" : " (agixt.analysis.enabled is false)");
        return;
    }
    if (f->by_patterns_only)
        (void)strlist_addf(reasons, "scan: by patterns only: this build has no grammar of the language");
    if (f->need_count)
        (void)strlist_addf(reasons, "scan: the program needs %s, which the level permits or refuses",
                           f->needs ? f->needs : "what the level may refuse");
    if (!scan_risk(c, f)) {
        (void)strlist_addf(reasons, "scan: nothing above information, risk +0.000");
        return;
    }
    (void)strlist_addf(
        reasons, "scan: %u finding%s, the worst %s, risk +%s%s", f->finding_count, f->finding_count == 1 ? "" : "s",
        worst_of(f), level_number(scan_risk(c, f)).text,
        c->agixt.execution.auto_risk_detection ? "" : " (not counted: agixt.execution.auto_risk_detection is false)");
}

/* What is left of the starting score when the scan's risk is taken from it. */
static enum risk_level lower_by_scan(const struct config *c, const struct level_facts *f, uint32_t score,
                                     enum risk_level before, struct level_result *ret, struct strlist *reasons)
{
    const struct ladder ladder = ladder_of(c, f, score);
    const uint32_t risk = scan_counts(c, f) ? scan_risk(c, f) : 0, left = score > risk ? score - risk : 0;
    ret->has_sum = true;
    ret->sum = (struct level_sum){ score, risk, left, threshold_of(c, RISK_LOW), threshold_of(c, RISK_MEDIUM) };
    tell_scan(c, f, reasons);
    if (!scan_counts(c, f)) {
        if (f->was_scanned && scan_risk(c, f) && c->agixt.execution.auto_risk_detection)
            (void)strlist_addf(reasons, "that is below agixt.analysis.threshold %s: it changes no level",
                               level_number(c->agixt.analysis.threshold).text);
        return before;
    }
    enum risk_level level = MAX_OF(level_of(&ladder, left), before);
    (void)strlist_addf(reasons, "%s - %s = %s: level %s", level_number(score).text, level_number(risk).text,
                       level_number(left).text, risk_level_names[level]);
    return level;
}

static bool lacks_evidence(const struct config *c, const struct level_facts *f)
{
    const struct level_evidence *e = &f->evidence;
    return !e->is_vouched && e->start < c->sandbox.risk_mapping.low_risk_threshold &&
           (e->shapes < c->agixt.trust.low_shapes || e->hours < c->agixt.trust.low_hours ||
            e->age_ms < c->agixt.trust.low_age);
}

static const char *say_evidence(const struct config *c, const struct level_facts *f, char out[static 200])
{
    const struct level_evidence *e = &f->evidence;
    (void)snprintf(out, 200, "%u of %u shapes of programs, %u of %u hours with work, %llu of %llu h since the first",
                   e->shapes, c->agixt.trust.low_shapes, e->hours, c->agixt.trust.low_hours,
                   (unsigned long long)(e->age_ms / 3600000), (unsigned long long)(c->agixt.trust.low_age / 3600000));
    return out;
}

/* From the score alone, and what low takes besides. */
static enum risk_level by_trust(const struct config *c, const struct level_facts *f, struct strlist *reasons)
{
    const struct ladder ladder = ladder_of(c, f, f->trust);
    enum risk_level level = level_of(&ladder, f->trust);
    const uint32_t needed = level == RISK_HIGH ? 0 : threshold_of(c, level);
    (void)strlist_addf(reasons, "trust %s%s: level %s (low from %s, medium from %s%s)", level_number(f->trust).text,
                       f->is_new ? " of a new agent" : "", risk_level_names[level],
                       level_number(threshold_of(c, RISK_LOW)).text, level_number(threshold_of(c, RISK_MEDIUM)).text,
                       f->trust < needed ? "; held: not clearly below" : "");
    if (level == RISK_LOW && lacks_evidence(c, f)) {
        char evidence[200];
        level = RISK_MEDIUM;
        (void)strlist_addf(reasons, "low takes evidence besides (agixt.trust.low_*): %s: level medium",
                           say_evidence(c, f, evidence));
    } else if (level == RISK_LOW && f->evidence.is_vouched) {
        (void)strlist_addf(reasons, "an administrator set the score: no further evidence is asked for");
    }
    return level;
}

/* A request that names no agent has the default's level, unless its key has earned a laxer one or lost its start's. */
static enum risk_level of_key(const struct config *c, const struct level_facts *f, struct strlist *reasons)
{
    const enum risk_level usual = (enum risk_level)c->sandbox.default_risk_level, own = by_trust(c, f, reasons);
    const struct ladder ladder = ladder_of(c, f, f->evidence.start);
    const enum risk_level begun = MIN_OF(level_of(&ladder, f->evidence.start), RISK_HIGH);
    const enum risk_level level = own == begun ? usual : own < begun ? MIN_OF(own, usual) : MAX_OF(own, usual);
    if (level != own)
        (void)strlist_addf(reasons, "no agent was named: default_risk_level %s", risk_level_names[level]);
    return level;
}

static int of_agent(const struct config *c, const struct level_facts *f, struct level_result *ret,
                    struct strlist *reasons, struct error *err)
{
    enum risk_level level = (enum risk_level)c->sandbox.default_risk_level;
    uint32_t score = threshold_of(c, level);
    if (c->agixt.trust.enabled) {
        score = f->trust;
        if (score < c->sandbox.risk_mapping.high_risk_threshold) {
            (void)err_set(err, -EACCES, BLAME_POLICY, NULL,
                          "trust %s is below sandbox.risk_mapping.high_risk_threshold %s: this agent runs nothing",
                          level_number(score).text, level_number(c->sandbox.risk_mapping.high_risk_threshold).text);
            return err_remedy(err, "an administrator can set it: sandbox-agent agents trust ID SCORE --reason TEXT");
        }
        level = f->is_nameless ? of_key(c, f, reasons) : by_trust(c, f, reasons);
    } else {
        (void)strlist_addf(reasons, "trust is not kept (agixt.trust.enabled is false): default_risk_level %s",
                           risk_level_names[level]);
    }
    ret->by_trust = level;
    ret->level = lower_by_scan(c, f, score, level, ret, reasons);
    if (f->is_known_bad && ret->level != RISK_HIGH) {
        ret->level = RISK_HIGH;
        (void)strlist_addf(reasons, "the code has the shape of code that did harm before: level high");
    }
    return 0;
}

static void of_anonymous(const struct config *c, const struct level_facts *f, struct level_result *ret,
                         struct strlist *reasons)
{
    if (f->was_asked) {
        ret->level = f->asked;
        (void)strlist_addf(reasons, "no agent: level %s was asked for", risk_level_names[f->asked]);
        tell_scan(c, f, reasons);
        return;
    }
    enum risk_level level = (enum risk_level)c->sandbox.default_risk_level;
    (void)strlist_addf(reasons, "no agent: default_risk_level %s", risk_level_names[level]);
    ret->level = lower_by_scan(c, f, threshold_of(c, level), level, ret, reasons);
}

static int follow_wish(const struct config *c, const struct level_facts *f, enum risk_level *level,
                       struct strlist *reasons, struct error *err)
{
    if (!f->was_asked || !f->has_agent || f->asked == *level)
        return 0;
    const char *asked = risk_level_names[f->asked];
    if (f->asked > *level) {
        (void)strlist_addf(reasons, "level %s was asked for, which is stricter", asked);
        *level = f->asked;
    } else if (c->agixt.execution.allow_risk_override || f->may_override) {
        (void)strlist_addf(reasons, "level %s was asked for, which %s allows", asked,
                           f->may_override ? "the key" : "agixt.execution.allow_risk_override");
        *level = f->asked;
    } else if (f->has_own_profile) {
        (void)err_set(err, -EACCES, BLAME_POLICY, NULL,
                      "the profile is for level %s, and this agent with this code runs at %s", asked,
                      risk_level_names[*level]);
        return err_remedy(err, "take a profile with risk_level: %s, or set agixt.execution.allow_risk_override: true",
                          risk_level_names[*level]);
    } else {
        (void)strlist_addf(reasons, "level %s was asked for, which agixt.execution.allow_risk_override does not allow",
                           asked);
    }
    return 0;
}

static int stay_in_bounds(const struct config *c, const struct level_facts *f, enum risk_level *level,
                          struct strlist *reasons, struct error *err)
{
    enum risk_level laxest = (enum risk_level)c->agixt.execution.laxest_level;
    if (*level >= laxest)
        return 0;
    if (f->has_own_profile) {
        (void)err_set(err, -EACCES, BLAME_POLICY, NULL,
                      "the profile is for level %s, and agixt.execution.laxest_level is %s", risk_level_names[*level],
                      risk_level_names[laxest]);
        return err_remedy(err, "take a profile with risk_level: %s", risk_level_names[laxest]);
    }
    (void)strlist_addf(reasons, "agixt.execution.laxest_level: level %s", risk_level_names[laxest]);
    *level = laxest;
    return 0;
}

int level_decide(const struct config *c, const struct level_facts *f, struct level_result *ret, struct strlist *reasons,
                 struct error *err)
{
    struct level_result r = { .level = RISK_HIGH, .by_trust = RISK_HIGH };
    int e = 0;
    if (f->has_agent)
        e = of_agent(c, f, &r, reasons, err);
    else
        of_anonymous(c, f, &r, reasons);
    if (e == 0)
        e = follow_wish(c, f, &r.level, reasons, err);
    if (e == 0)
        e = stay_in_bounds(c, f, &r.level, reasons, err);
    if (e == 0)
        *ret = r;
    return e;
}

void level_way_up(const struct config *c, const struct level_facts *f, enum risk_level level, char ret[static 256])
{
    ret[0] = '\0';
    if (level == RISK_LOW || !f->has_agent || !c->agixt.trust.enabled)
        return;
    struct strlist ignored = { 0 };
    const enum risk_level earned = by_trust(c, f, &ignored), next = (enum risk_level)(earned - 1);
    strlist_done(&ignored);
    const char *has = risk_level_names[earned];
    if (level > earned && f->is_known_bad) {
        (void)snprintf(ret, 256, "this agent's trust gives %s; the code looks like code that did harm", has);
    } else if (level > earned && scan_counts(c, f)) {
        (void)snprintf(ret, 256, "this agent's trust gives %s; the scan lowered it: %s, risk +%s", has, worst_of(f),
                       level_number(scan_risk(c, f)).text);
    } else if (level > earned) {
        (void)snprintf(ret, 256, "this agent's trust gives %s; level %s was asked for", has, risk_level_names[level]);
    } else if (earned != RISK_LOW && f->trust >= threshold_of(c, next)) {
        char evidence[200];
        (void)snprintf(ret, 256, "low takes further evidence: %s", say_evidence(c, f, evidence));
    } else if (earned != RISK_LOW) {
        const uint32_t gap = threshold_of(c, next) - f->trust, gain = MAX_OF(c->agixt.trust.increase_on_success, 1u);
        (void)snprintf(ret, 256,
                       "this agent's trust is %s, and %s begins at %s: %u more successful run%s that level %s permits",
                       level_number(f->trust).text, risk_level_names[next], level_number(threshold_of(c, next)).text,
                       (gap + gain - 1) / gain, gap <= gain ? "" : "s", has);
    }
}
