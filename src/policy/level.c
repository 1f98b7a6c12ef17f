#include "policy/level.h"

#include <stdio.h>

static enum risk_level level_of(const struct config *c, uint32_t trust)
{
    if (trust >= c->sandbox.risk_mapping.low_risk_threshold)
        return RISK_LOW;
    return trust >= c->sandbox.risk_mapping.medium_risk_threshold ? RISK_MEDIUM : RISK_HIGH;
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

/* «0.350»: what reasons show of thousandths. */
struct number {
    char text[16];
};
static struct number number(uint32_t milli)
{
    struct number n;
    (void)snprintf(n.text, sizeof n.text, "%u.%03u", milli / 1000, milli % 1000);
    return n;
}

static bool scan_counts(const struct config *c, const struct level_facts *f)
{
    return f->was_scanned && f->risk_increase && c->agixt.execution.auto_risk_detection;
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
    if (!f->risk_increase) {
        (void)strlist_addf(reasons, "scan: nothing above information, risk +0.000");
        return;
    }
    (void)strlist_addf(
        reasons, "scan: %u finding%s, the worst %s, risk +%s%s", f->finding_count, f->finding_count == 1 ? "" : "s",
        f->worst_rule ? f->worst_rule : "unnamed", number(f->risk_increase).text,
        c->agixt.execution.auto_risk_detection ? "" : " (not counted: agixt.execution.auto_risk_detection is false)");
}

/* What is left of the starting score when the scan's risk is taken from it. */
static enum risk_level lower_by_scan(const struct config *c, const struct level_facts *f, uint32_t score,
                                     enum risk_level before, struct strlist *reasons)
{
    tell_scan(c, f, reasons);
    if (!scan_counts(c, f))
        return before;
    uint32_t left = score > f->risk_increase ? score - f->risk_increase : 0;
    enum risk_level level = MAX_OF(level_of(c, left), before);
    (void)strlist_addf(reasons, "%s - %s = %s: level %s", number(score).text, number(f->risk_increase).text,
                       number(left).text, risk_level_names[level]);
    return level;
}

static int of_agent(const struct config *c, const struct level_facts *f, enum risk_level *ret, struct strlist *reasons,
                    struct error *err)
{
    enum risk_level level = (enum risk_level)c->sandbox.default_risk_level;
    uint32_t score = threshold_of(c, level);
    if (c->agixt.trust.enabled) {
        score = f->trust;
        level = level_of(c, score);
        if (score < c->sandbox.risk_mapping.high_risk_threshold) {
            (void)err_set(err, -EACCES, BLAME_POLICY, NULL,
                          "trust %s is below sandbox.risk_mapping.high_risk_threshold %s: this agent runs nothing",
                          number(score).text, number(c->sandbox.risk_mapping.high_risk_threshold).text);
            return err_remedy(err, "an administrator can set it: sandbox-agent agents trust ID SCORE --reason TEXT");
        }
        (void)strlist_addf(reasons, "trust %s%s: level %s (low from %s, medium from %s)", number(score).text,
                           f->is_new ? " of a new agent" : "", risk_level_names[level],
                           number(threshold_of(c, RISK_LOW)).text, number(threshold_of(c, RISK_MEDIUM)).text);
    } else {
        (void)strlist_addf(reasons, "trust is not kept (agixt.trust.enabled is false): default_risk_level %s",
                           risk_level_names[level]);
    }
    *ret = lower_by_scan(c, f, score, level, reasons);
    return 0;
}

static void of_anonymous(const struct config *c, const struct level_facts *f, enum risk_level *ret,
                         struct strlist *reasons)
{
    if (f->was_asked) {
        *ret = f->asked;
        (void)strlist_addf(reasons, "no agent: level %s was asked for", risk_level_names[f->asked]);
        tell_scan(c, f, reasons);
        return;
    }
    enum risk_level level = (enum risk_level)c->sandbox.default_risk_level;
    (void)strlist_addf(reasons, "no agent: default_risk_level %s", risk_level_names[level]);
    *ret = lower_by_scan(c, f, threshold_of(c, level), level, reasons);
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
    } else if (c->agixt.execution.allow_risk_override) {
        (void)strlist_addf(reasons, "level %s was asked for: agixt.execution.allow_risk_override is true", asked);
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

int level_decide(const struct config *c, const struct level_facts *f, enum risk_level *ret, struct strlist *reasons,
                 struct error *err)
{
    enum risk_level level = RISK_HIGH;
    int e = 0;
    if (f->has_agent)
        e = of_agent(c, f, &level, reasons, err);
    else
        of_anonymous(c, f, &level, reasons);
    if (e == 0)
        e = follow_wish(c, f, &level, reasons, err);
    if (e == 0)
        e = stay_in_bounds(c, f, &level, reasons, err);
    if (e == 0)
        *ret = level;
    return e;
}
