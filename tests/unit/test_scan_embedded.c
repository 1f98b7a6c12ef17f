/* Programs inside programs: here-documents, -c texts, files that are written and run. */
#include "test.h"

#include "scan/engine.h"
#include "scan/grammar.h"

static struct scan_report report; /* borrows from what seen_in() holds */

/* Scans with the shipped rules; what was found before is forgotten. */
static void look(enum language language, const char *text)
{
    static struct ruleset rules;
    static struct scan scan;
    static bool is_used;
    struct error err = { 0 };
    const struct grammar *g = grammar_of(language);
    if (!g || !g->language || !g->language())
        SKIP("the grammar was not there when this was built: npm ci");
    if (is_used) {
        scan_done(&scan);
        ruleset_done(&rules);
    }
    is_used = true;
    CHECK_EQ(ruleset_load(&rules, "rules", language, &err), 0);
    CHECK(scan_begin(&scan, &rules, text, strlen(text), 60000) == 0);
    scan_text(&scan);
    scan_syntax(&scan);
    scan_report(&scan, &report);
}

static const struct finding *found(const char *rule)
{
    for (uint32_t i = 0; i < report.finding_count; i++)
        if (str_eq(report.findings[i].rule, rule))
            return &report.findings[i];
    (void)fprintf(stderr, "# no %s among %u findings\n", rule, report.finding_count);
    for (uint32_t i = 0; i < report.finding_count; i++)
        (void)fprintf(stderr, "#   %s (%s)\n", report.findings[i].rule, report.findings[i].path);
    return NULL;
}

#define SHADOW "open('/etc/shadow').read()\n"

TEST(a_here_document_is_read_in_its_language_and_the_place_is_told)
{
    look(LANG_BASH, "echo begin\npython3 - <<'EOF'\nx = 1\n" SHADOW "EOF\necho end\n");
    const struct finding *f = found("python-sensitive-files");
    CHECK(f != NULL);
    CHECK_EQ(f->line, 4);
    CHECK_STR(f->path, "here-document at line 3, python, line 2");
    CHECK_STR(f->text, "open('/etc/shadow').read()");
    CHECK(report.is_complete);
}
