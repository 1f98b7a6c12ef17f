/* print.h - a report as JSON, the same from sandbox-scan, `sandbox-agent scan --json` and a run's result. */
#pragma once
#include "scan/report.h"

/* The member «findings», or «needs», of an object that is open; empty lists without a report. */
void scan_findings_member(const struct scan_report *r, struct buf *out);
void scan_needs_member(const struct scan_report *r, struct buf *out);
/* findings, names, risk_increase, is_complete, has_syntax, took_us, rules_id: inside an object that is open. */
void scan_report_members(const struct scan_report *r, struct buf *out);
void scan_report_json(const struct scan_report *r, struct buf *out);
