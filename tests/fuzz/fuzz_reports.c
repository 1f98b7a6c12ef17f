/* Whatever a payload writes into its guard's pipe, in whatever pieces: no more than is promised is read and kept, and
 * every name that is kept is one that reports_parse() lets pass. */
#include "run/reports.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct reports *r)
{
    char line[REPORT_MAX_NAME + 64], name[REPORT_MAX_NAME + 1];
    assert(r->count <= r->lines && r->lines <= REPORTS_MAX && r->bytes <= REPORTS_MAX_BYTES);
    for (uint32_t i = 0; i < r->count; i++) {
        int n = snprintf(line, sizeof line, "{\"type\":\"%s\",\"detail\":\"%s\"}", r->list[i].type, r->list[i].name);
        assert(n > 0 && reports_parse(line, (size_t)n, name) == r->list[i].type && str_eq(name, r->list[i].name));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct reports r;
    r = (struct reports){ .pipe = -1 };
    int fd = reports_open(&r);
    if (fd < 0)
        return 0;
    while (size) {
        size_t n = MIN_OF(size, 1 + (size_t)data[0] * 8);
        ssize_t w = write(fd, data, n);
        if (w <= 0)
            break;
        data += w;
        size -= (size_t)w;
        reports_read(&r);
        check(&r);
    }
    (void)close(fd);
    reports_read(&r);
    check(&r);
    reports_done(&r);
    return 0;
}
