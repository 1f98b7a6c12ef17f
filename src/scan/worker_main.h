/* worker_main.h - a scan for sandbox-agent, over the descriptors of worker.h. */
#pragma once
#include "scan/rule.h"

/* Returns the exit code. stays: for many scans. */
int worker_main(struct ruleset *rules, const char *rules_dir, enum language language, uint32_t timeout_ms, bool stays);
