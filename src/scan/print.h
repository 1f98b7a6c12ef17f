/* print.h - a report as JSON, the same from sandbox-scan and from `sandbox-agent scan --json`. */
#pragma once
#include "scan/report.h"

extern const char *const scan_severity_names[]; /* "info" ... "critical" */
void scan_report_json(const struct scan_report *r, struct buf *out);
