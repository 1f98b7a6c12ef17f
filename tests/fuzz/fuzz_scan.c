/* Whatever the text: a scan ends, its report packs and unpacks, and its findings lie within the text. The first byte
 * says in which language; the rules are the shipped ones. */
#include <stdio.h>
#include <stdlib.h>
#include "scan/engine.h"
#include "scan/worker.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct ruleset *load(unsigned language)
{
    static struct ruleset rules[LANG_COUNT];
    static bool is_loaded[LANG_COUNT];
    struct error err = { 0 };
    const char *dir = getenv("RULES");
    if (!is_loaded[language] &&
        ruleset_load(&rules[language], dir ? dir : "rules", (enum language)language, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.text);
        abort();
    }
    is_loaded[language] = true;
    return &rules[language];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct scan s;
    static struct scan_report sent, got;
    struct buf b;
    if (size == 0)
        return 0;
    int e = scan_begin(&s, load(data[0] % LANG_COUNT), (const char *)data + 1, size - 1, 1000);
    assert(e == 0);
    scan_text(&s);
    scan_syntax(&s);
    scan_report(&s, &sent);
    buf_init(&b, FRAME_MAX_BYTES);
    scan_report_pack(&sent, &b);
    e = scan_report_unpack(b.data, b.size, &got);
    assert(!b.failed && e == 0);
    for (uint32_t i = 0; i < got.finding_count; i++)
        assert(got.findings[i].line <= s.ctx.line_count && got.findings[i].column <= size + 1);
    buf_done(&b);
    scan_done(&s);
    return 0;
}
