#include "scan/print.h"
#include "base/json.h"

static const char *const name_kinds[NAME_KINDS] = { "module", "command", "builtin" };

static void finding_json(const struct finding *f, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "rule");
    json_put_string(out, f->rule);
    json_key(out, "family");
    json_put_string(out, f->family);
    json_key(out, "severity");
    json_put_string(out, severity_names[f->severity]);
    json_key(out, "risk_increase");
    json_milli(out, f->risk_increase);
    json_key(out, "line");
    json_uint(out, f->line);
    json_key(out, "column");
    json_uint(out, f->column);
    json_key(out, "message");
    json_put_string(out, f->message);
    json_key(out, "text");
    json_put_string(out, f->text);
    if (f->path && *f->path) {
        json_key(out, "path");
        json_put_string(out, f->path);
    }
    json_close(out, '}');
}

static void need_json(const struct scan_need *n, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "need");
    json_put_string(out, n->need);
    json_key(out, "rule");
    json_put_string(out, n->rule);
    json_key(out, "line");
    json_uint(out, n->line);
    json_key(out, "column");
    json_uint(out, n->column);
    json_key(out, "message");
    json_put_string(out, n->message);
    json_key(out, "text");
    json_put_string(out, n->text);
    json_close(out, '}');
}

static void name_json(const struct scan_name *n, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "kind");
    json_put_string(out, name_kinds[n->kind]);
    json_key(out, "name");
    json_put_string(out, n->name);
    json_key(out, "line");
    json_uint(out, n->line);
    json_key(out, "column");
    json_uint(out, n->column);
    json_close(out, '}');
}

void scan_findings_member(const struct scan_report *r, struct buf *out)
{
    json_key(out, "findings");
    json_open(out, '[');
    for (uint32_t i = 0; r && i < r->finding_count; i++)
        finding_json(&r->findings[i], out);
    json_close(out, ']');
}

void scan_needs_member(const struct scan_report *r, struct buf *out)
{
    json_key(out, "needs");
    json_open(out, '[');
    for (uint32_t i = 0; r && i < r->need_count; i++)
        need_json(&r->needs[i], out);
    json_close(out, ']');
}

void scan_report_members(const struct scan_report *r, struct buf *out)
{
    scan_findings_member(r, out);
    scan_needs_member(r, out);
    json_key(out, "names");
    json_open(out, '[');
    for (uint32_t i = 0; i < r->name_count; i++)
        name_json(&r->names[i], out);
    json_close(out, ']');
    json_key(out, "risk_increase");
    json_milli(out, r->risk_increase);
    json_key(out, "is_complete");
    json_bool(out, r->is_complete);
    json_key(out, "has_syntax");
    json_bool(out, r->has_syntax);
    json_key(out, "took_us");
    json_uint(out, r->took_us);
    json_key(out, "rules_id");
    json_put_string(out, r->rules_id);
    json_key(out, "shape");
    json_put_string(out, r->shape && *r->shape ? r->shape : NULL);
}

void scan_report_json(const struct scan_report *r, struct buf *out)
{
    json_open(out, '{');
    scan_report_members(r, out);
    json_close(out, '}');
}
