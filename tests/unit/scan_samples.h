/* scan_samples.h - how many programs of a folder under tests/data/scan have a finding above information, and how many a
 * need. */
#pragma once
#include <dirent.h>

#include "scan/engine.h"
#include "test.h"

struct sample_count {
    unsigned files, found, needs;
};

static inline struct sample_count scan_samples(enum language language, const char *folder, bool wants_finding)
{
    struct sample_count ret = { 0 };
    struct error err = { 0 };
    static struct ruleset rules;
    static struct scan scan;
    static struct scan_report report;
    static char text[65536];
    DIR *d = opendir(folder);
    CHECK(d != NULL);
    CHECK_EQ(ruleset_load(&rules, "rules", language, &err), 0);
    for (struct dirent *e; (e = readdir(d));) {
        char path[512];
        if (e->d_name[0] == '.')
            continue;
        (void)snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        FILE *f = fopen(path, "re");
        CHECK(f != NULL);
        size_t n = fread(text, 1, sizeof text, f);
        (void)fclose(f);
        CHECK_EQ(scan_begin(&scan, &rules, text, n, 60000), 0);
        scan_text(&scan);
        scan_syntax(&scan);
        scan_report(&scan, &report);
        bool is_found = scan_report_count(&report) > 0;
        ret.files++;
        ret.found += is_found;
        ret.needs += report.need_count > 0;
        if (is_found != wants_finding)
            (void)fprintf(stderr, "# %s: %s\n", path,
                          is_found               ? scan_report_worst(&report)->rule
                          : report.finding_count ? report.findings[0].message
                          : scan.has_syntax      ? "nothing found"
                                                 : "no syntax");
        scan_done(&scan);
    }
    (void)closedir(d);
    ruleset_done(&rules);
    return ret;
}
