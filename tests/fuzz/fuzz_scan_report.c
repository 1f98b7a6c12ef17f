/* Whatever the bytes: a report or an error of the worker unpacks or is refused, without reading beyond the end; what
 * unpacks is fit for a terminal and packs again to the same bytes. */
#include "scan/client.h"
#include "scan/worker.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_report(const uint8_t *data, size_t size)
{
    static struct scan_report r;
    struct buf again;
    if (scan_report_unpack(data, size, &r) < 0)
        return;
    assert(r.risk_increase <= 1000 && r.finding_count <= SCAN_MAX_FINDINGS && r.name_count <= SCAN_MAX_NAMES);
    for (uint32_t i = 0; i < r.finding_count; i++)
        for (const char *p = r.findings[i].text; *p; p++)
            assert((unsigned char)*p >= 0x20);
    buf_init(&again, size + 64);
    scan_report_pack(&r, &again);
    assert(again.size == size && memcmp(again.data, data, size) == 0);
    buf_done(&again);
    scan_report_cut(&r, "x");
    assert(scan_report_worst(&r));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error err;
    read_report(data, size);
    (void)worker_error_unpack(data, size, &err); /* either is fine */
    return 0;
}
