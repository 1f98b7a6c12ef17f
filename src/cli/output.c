#include "cli/cmd.h"

int output_lost(const char *what, int error)
{
    if (error == EPIPE || error == EBADF)
        return 0;
    (void)fprintf(stderr, "sandbox-agent: %s cannot be written%s%s\n", what, error ? ": " : "",
                  error ? strerror(error) : "");
    return 125;
}

int output_end(int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    (void)output_lost("the output", errno); /* 0: it was an earlier write */
    return 125;
}
