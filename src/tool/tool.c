#include "tool/tool.h"

#include <stdio.h>

int tool_complain(const struct error *err)
{
    (void)fprintf(stderr, "%s: %s\n", program_invocation_short_name, err->text);
    if (err->remedy[0])
        (void)fprintf(stderr, "  remedy: %s\n", err->remedy);
    return tool_exit_code(err);
}

int tool_exit_code(const struct error *err)
{
    return err->blame == BLAME_CALLER ? 2 : err->blame == BLAME_POLICY ? 123 : 125;
}

int tool_print(const struct buf *out)
{
    struct error err = { 0 };
    if (!out->failed && fwrite(out->data ? out->data : "", 1, out->size, stdout) == out->size && fflush(stdout) == 0)
        return 0;
    (void)err_set(&err, -EIO, BLAME_US, NULL, "the output cannot be written: %s",
                  out->failed ? "too long" : strerror(errno));
    return tool_complain(&err);
}
