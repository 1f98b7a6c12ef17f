/* print.h - a report as JSON, the same from sandbox-scan and from `sandbox-agent scan --json`. */
#pragma once
#include "scan/report.h"

extern const char *const scan_severity_names[]; /* "info" ... "critical" */
/* findings, names, risk_increase, is_complete, has_syntax, took_us, rules_id: inside an object that is open. */
void scan_report_members(const struct scan_report *r, struct buf *out);
void scan_report_json(const struct scan_report *r, struct buf *out);
