/* The audit for other programs: what agents wrote does not become a formula or another cell. */
#include "cli/audit_export.h"

#include "test.h"

static const char *csv_of(const char *message)
{
    static struct buf out;
    char line[1024];
    struct audit_line l;
    (void)snprintf(line, sizeof line,
                   "{\"@timestamp\":\"2026-11-21T04:35:04.721Z\",\"message\":\"%s\",\"event\":{\"action\":\"a\","
                   "\"sequence\":7}}",
                   message);
    CHECK_EQ(audit_line_read(line, strlen(line), &l), 0);
    buf_done(&out);
    buf_init(&out, 64 * KIB);
    CHECK_EQ(export_line(EXPORT_CSV, line, strlen(line), &l, &out), 0);
    CHECK(!out.failed);
    return strrchr(out.data, ',');
}

TEST(a_cell_of_csv_is_quoted_and_is_no_formula)
{
    static const struct {
        const char *message, *cell;
    } cases[] = {
        { "plain", ",\"plain\"\n" },
        { "a \\\"b\\\"", ",\"a \"\"b\"\"\"\n" },
        { "=1+1", ",\"'=1+1\"\n" },
        { "+1", ",\"'+1\"\n" },
        { "-1", ",\"'-1\"\n" },
        { "@SUM(A1)", ",\"'@SUM(A1)\"\n" },
        { "  =1", ",\"'  =1\"\n" },
        { "\xef\xbc\x9d"
          "1",
          ",\"'\xef\xbc\x9d"
          "1\"\n" },
        { "\\t=1\\r\\n", ",\"\\x09=1\\x0d\\x0a\"\n" },
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        CHECK_STR(csv_of(cases[i].message), cases[i].cell);
}

TEST(an_ocsf_event_whose_number_is_a_text_is_refused_and_adds_nothing)
{
    static const char line[] = "{\"@timestamp\":\"2026-11-21T04:35:04.721Z\",\"message\":\"\\u001b[2J \\\" \\n\","
                               "\"process\":{\"exit_code\":%s},\"event\":{\"action\":\"execution-finished\"}}";
    static const struct {
        const char *code;
        int result;
    } cases[] = { { "0", 0 }, { "\"0\"", -EBADMSG } };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        char text[1024];
        struct audit_line l;
        struct buf out;
        buf_init(&out, 64 * KIB);
        (void)snprintf(text, sizeof text, line, cases[i].code);
        CHECK_EQ(audit_line_read(text, strlen(text), &l), 0);
        CHECK_EQ(export_line(EXPORT_OCSF, text, strlen(text), &l, &out), cases[i].result);
        CHECK(cases[i].result < 0 ? out.size == 0 : strstr(out.data, "\\u001b[2J \\\" \\n") != NULL);
        buf_done(&out);
    }
}
