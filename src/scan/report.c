#include "scan/report.h"

#include <stdio.h>
#include "base/utf8.h"

#define STRING_MAX 400u

static const struct field finding_fields[] = {
    FIELD_S(struct finding, rule),
    FIELD_S(struct finding, family),
    FIELD_S(struct finding, message),
    FIELD_S(struct finding, text),
    FIELD_S(struct finding, path),
    FIELD_U(struct finding, line, UINT32_MAX),
    FIELD_U(struct finding, column, UINT32_MAX),
    FIELD_U(struct finding, risk_increase, 1000),
    FIELD_U(struct finding, text_at, SCAN_MAX_EXCERPT),
    FIELD_U(struct finding, severity, SEVERITY_COUNT - 1),
};
static const struct field need_fields[] = {
    FIELD_S(struct scan_need, need),
    FIELD_S(struct scan_need, rule),
    FIELD_S(struct scan_need, message),
    FIELD_S(struct scan_need, text),
    FIELD_U(struct scan_need, line, UINT32_MAX),
    FIELD_U(struct scan_need, column, UINT32_MAX),
    FIELD_U(struct scan_need, text_at, SCAN_MAX_EXCERPT),
};
static const struct field name_fields[] = {
    FIELD_S(struct scan_name, name),
    FIELD_U(struct scan_name, line, UINT32_MAX),
    FIELD_U(struct scan_name, column, UINT32_MAX),
    FIELD_U(struct scan_name, kind, NAME_KINDS - 1),
};
static const struct field report_fields[] = {
    FIELD_A(struct scan_report, findings, finding_count, finding_fields),
    FIELD_A(struct scan_report, needs, need_count, need_fields),
    FIELD_A(struct scan_report, names, name_count, name_fields),
    FIELD_U(struct scan_report, is_complete, 1),
    FIELD_U(struct scan_report, has_syntax, 1),
    FIELD_U(struct scan_report, risk_increase, 1000),
    FIELD_U(struct scan_report, took_us, UINT32_MAX),
    FIELD_S(struct scan_report, rules_id),
    FIELD_S(struct scan_report, shape),
};

void scan_report_pack(const struct scan_report *r, struct buf *out)
{
    pack_fields(out, report_fields, ARRAY_LEN(report_fields), r);
}

/* Goes to terminals, logs and the audit: printable text of a bounded length. */
static bool is_text(const char *s, size_t max_bytes)
{
    if (!s)
        return false;
    size_t size = strnlen(s, max_bytes + 1), n;
    if (size > max_bytes)
        return false;
    for (size_t i = 0; i < size; i += n) {
        n = utf8_size(s + i, size - i);
        if (n == 0 || !is_printable(s + i, n))
            return false;
    }
    return true;
}

static bool finding_is_sane(const struct finding *f)
{
    return is_text(f->rule, 64) && *f->rule && is_text(f->family, 64) && is_text(f->message, STRING_MAX) &&
           is_text(f->text, SCAN_MAX_EXCERPT) && is_text(f->path, STRING_MAX) && f->text_at <= strlen(f->text) &&
           f->line && f->column && (f->severity != SEVERITY_INFO || f->risk_increase == 0);
}

static bool need_is_sane(const struct scan_need *n)
{
    return is_text(n->need, 16) && *n->need && is_text(n->rule, 64) && *n->rule && is_text(n->message, STRING_MAX) &&
           is_text(n->text, SCAN_MAX_EXCERPT) && n->text_at <= strlen(n->text) && n->line && n->column;
}

/* Two numbers of 16 hex digits and one of up to five digits; or none. */
static bool shape_is_sane(const char *s)
{
    const size_t hex = strspn(s, "0123456789abcdef");
    if (!*s)
        return true;
    if (hex != 16 || s[16] != '-' || strspn(s + 17, "0123456789abcdef") != 16 || s[33] != '-')
        return false;
    const size_t digits = strspn(s + 34, "0123456789");
    return digits >= 1 && digits <= 5 && !s[34 + digits];
}

int scan_report_unpack(const void *data, size_t size, struct scan_report *ret)
{
    struct unpack u = unpack_start(data, size);
    struct scan_report r = { 0 };
    unpack_fields(&u, report_fields, ARRAY_LEN(report_fields), &r);
    if (unpack_end(&u) < 0)
        return -EBADMSG;
    bool ok = is_text(r.rules_id, 64) && r.shape && shape_is_sane(r.shape);
    for (uint32_t i = 0; ok && i < r.finding_count; i++)
        ok = finding_is_sane(&r.findings[i]);
    for (uint32_t i = 0; ok && i < r.need_count; i++)
        ok = need_is_sane(&r.needs[i]);
    for (uint32_t i = 0; ok && i < r.name_count; i++)
        ok = is_text(r.names[i].name, STRING_MAX) && r.names[i].line && r.names[i].column;
    if (!ok)
        return -EBADMSG;
    *ret = r;
    return 0;
}

void scan_report_cut(struct scan_report *r, const char *why)
{
    const struct finding cut = { .rule = "scan-incomplete",
                                 .family = "scan",
                                 .message = why,
                                 .text = "",
                                 .path = "",
                                 .line = 1,
                                 .column = 1,
                                 .risk_increase = 300,
                                 .severity = SEVERITY_MEDIUM };
    r->is_complete = false;
    for (uint32_t i = 0; i < r->finding_count; i++)
        if (str_eq(r->findings[i].rule, cut.rule))
            return;
    scan_report_add(r, &cut);
}

void scan_report_add(struct scan_report *r, const struct finding *f)
{
    uint32_t at = 0; /* behind those that are as bad */
    while (at < r->finding_count && r->findings[at].severity >= f->severity)
        at++;
    if (at == SCAN_MAX_FINDINGS)
        at--; /* it must be there: a full list of worse ones loses its last */
    uint32_t keep = MIN_OF(r->finding_count, SCAN_MAX_FINDINGS - 1);
    memmove(r->findings + at + 1, r->findings + at, (MAX_OF(keep, at) - at) * sizeof *f);
    r->findings[at] = *f;
    r->finding_count = MAX_OF(keep, at) + 1;
    r->risk_increase = MIN_OF(r->risk_increase + f->risk_increase, 1000u);
}

#define DOUBTED_RISK 40u /* milli: below agixt.analysis.threshold as shipped */

/* The sum over findings, each rule once: they are sorted, so its first is its worst. `configured`: of these alone, or
 * of all others. */
static uint32_t risk_of(const struct scan_report *r, bool configured)
{
    uint32_t risk = 0;
    for (uint32_t i = 0; i < r->finding_count; i++) {
        uint32_t k = 0;
        while (k < i && !str_eq(r->findings[k].rule, r->findings[i].rule))
            k++;
        if (k == i && str_eq(r->findings[i].family, SCAN_FAMILY_CONFIGURED) == configured)
            risk = MIN_OF(risk + r->findings[i].risk_increase, 1000u);
    }
    return risk;
}

void scan_report_doubt(struct scan_report *r)
{
    const struct finding *worst = scan_report_worst(r);
    if (!worst || worst->severity == SEVERITY_CRITICAL || risk_of(r, false) <= DOUBTED_RISK)
        return;
    for (uint32_t i = 0; i < r->finding_count; i++) /* what hides something hides what it resembles, too */
        if (r->findings[i].severity > SEVERITY_INFO &&
            (str_eq(r->findings[i].family, "obfuscation") || str_eq(r->findings[i].family, "scan")))
            return;
    struct finding f = *worst;
    f.rule = SCAN_UNSUPPORTED;
    f.family = SCAN_FAMILY_RESEMBLANCE;
    f.message = "nothing else in this program resembles programs that act badly: findings below critical do not lower "
                "the level";
    f.severity = SEVERITY_INFO;
    f.risk_increase = 0;
    r->risk_increase = MIN_OF(risk_of(r, true) + DOUBTED_RISK, 1000u);
    scan_report_add(r, &f);
}

void scan_report_by_rules_only(struct scan_report *r)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->finding_count; i++)
        if (!str_eq(r->findings[i].family, SCAN_FAMILY_RESEMBLANCE))
            r->findings[kept++] = r->findings[i];
    if (kept == r->finding_count)
        return;
    r->finding_count = kept;
    r->risk_increase = MIN_OF(risk_of(r, false) + risk_of(r, true), 1000u);
}

uint32_t scan_report_needs(const struct scan_report *r, char ret[static 256])
{
    uint32_t count = 0;
    size_t at = 0;
    ret[0] = '\0';
    for (uint32_t i = 0; i < r->need_count; i++) {
        uint32_t k = 0;
        while (k < i && !str_eq(r->needs[k].need, r->needs[i].need))
            k++;
        if (k < i)
            continue;
        int n = snprintf(ret + at, 256 - at, "%s%s", count ? ", " : "", r->needs[i].need);
        if (n > 0 && (size_t)n < 256 - at)
            at += (size_t)n;
        else
            ret[at] = '\0'; /* a worker that lies: words of ours have room */
        count++;
    }
    return count;
}

uint32_t scan_report_count(const struct scan_report *r)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->finding_count; i++)
        count += r->findings[i].severity > SEVERITY_INFO;
    return count;
}

const struct finding *scan_report_worst(const struct scan_report *r)
{
    const struct finding *worst = NULL;
    for (uint32_t i = 0; i < r->finding_count; i++)
        if (r->findings[i].severity > SEVERITY_INFO && (!worst || r->findings[i].severity > worst->severity))
            worst = &r->findings[i];
    return worst;
}

const struct finding *scan_report_blocking(const struct scan_report *r)
{
    const struct finding *worst = NULL;
    for (uint32_t i = 0; i < r->finding_count; i++) {
        const struct finding *f = &r->findings[i];
        if (f->severity >= SEVERITY_HIGH && !str_eq(f->family, SCAN_FAMILY_CONFIGURED) &&
            !str_eq(f->family, SCAN_FAMILY_RESEMBLANCE) && /* statistics refuse nothing */
            (!worst || f->severity > worst->severity))
            worst = f;
    }
    return worst;
}
