#include "base/csv.h"

/* What spreadsheets take for the beginning of a formula, the full-width forms included (OWASP, CSV injection). */
static bool is_formula(const char *s)
{
    static const char *const begins[] = { "=",           "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d",
                                          "\xef\xbc\xa0" };
    s += strspn(s, " ");
    for (size_t i = 0; i < ARRAY_LEN(begins); i++)
        if (str_starts(s, begins[i]))
            return true;
    return false;
}

void csv_cell(struct buf *out, const char *text, char end)
{
    (void)buf_adds(out, is_formula(text) ? "\"'" : "\"");
    for (const char *p = text; *p; p++) {
        if ((unsigned char)*p < 0x20 || *p == 0x7F)
            (void)buf_addf(out, "\\x%02x", (unsigned)(unsigned char)*p);
        else
            (void)buf_addc(out, *p);
        if (*p == '"')
            (void)buf_addc(out, '"');
    }
    (void)buf_addc(out, '"');
    (void)buf_addc(out, end);
}
