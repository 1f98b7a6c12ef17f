/* The result object: what was asked for and could not be had is said. */
#include "run/result.h"

#include "test.h"

static bool result_says(const struct result *r, const char *text)
{
    static char got[64 * 1024];
    int ends[2];
    CHECK(pipe(ends) == 0);
    CHECK(result_print_json(r, ends[1]));
    (void)close(ends[1]);
    ssize_t n = read(ends[0], got, sizeof got - 1);
    (void)close(ends[0]);
    CHECK(n > 0);
    got[n] = '\0';
    return strstr(got, text) != NULL;
}

TEST(a_scan_without_the_language_s_grammar_is_missing_protection)
{
    static struct scan_report report = { .is_complete = true };
    const struct outcome outcome = { .reason = REASON_COMPLETED, .has_exit = true, .features = 1 };
    const struct error none = { 0 };
    const struct result r = { .id = "exec-1", .outcome = &outcome, .error = &none, .scan = &report };
    CHECK(result_says(&r, "\"missing\":[\"scan: by patterns only: this build has no grammar of the language\"]"));
    report.has_syntax = true;
    CHECK(result_says(&r, "\"missing\":[]"));
}
