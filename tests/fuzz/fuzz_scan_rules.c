/* Whatever the bytes: a file of rules is read or refused with a line number, and what was read can be checked and let
 * go. */
#include <stdio.h>
#include "scan/rule.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct ruleset s;
    struct error err = { 0 };
    memset(&s, 0, sizeof s);
    s.language = size && data[0] & 1 ? LANG_BASH : LANG_PYTHON;
    if (rules_read(&s, "r.yaml", (const char *)data, size, &err) < 0)
        assert(err.code < 0 && err.text[0]);
    else
        (void)ruleset_check(&s, &err); /* an error is fine */
    ruleset_done(&s);
    return 0;
}
