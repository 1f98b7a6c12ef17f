/* package_scan.h - what the scan says of the sources in a package set: told by `packages show`, and no verdict.
 *
 * Each file is read by a worker of its own (scan/client.h), as a program is. Bounded: what was not looked at is
 * counted. The rules are for programs of agents; libraries do much of what they name for good reasons. So findings
 * count by rule, and the operator reads them.
 */
#pragma once
#include "config/config.h"
#include "run/paths.h"

#define PACKAGE_SCAN_MAX_FILES 2000u /* about 5 ms each */
#define PACKAGE_SCAN_MAX_SIZE  MIB   /* of one file */
#define PACKAGE_SCAN_MAX_RULES 64u
#define PACKAGE_SCAN_TIME_MS   120000u

struct package_scan {
    uint32_t scanned, left_out; /* files with sources */
    uint32_t rule_count;
    struct package_scan_rule {
        char rule[64], example[256]; /* example: «numpy/f2py/diagnose.py:12» */
        uint32_t count;
        uint8_t severity;
    } rules[PACKAGE_SCAN_MAX_RULES];
};
/* Of the tree at `dir`, its sources in Python, JavaScript and shell. 0, or an error where no worker can be had. */
int package_scan_tree(const struct paths *p, const struct config *c, int dir, struct package_scan *ret,
                      struct error *err);
