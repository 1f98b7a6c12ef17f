/* Whatever the text: what script.c makes of it has a line for each of its lines, unless it was too long; what inflate.c
 * and pickle.c make of it ends. The first byte says in which language. */
#include "scan/inflate.h"
#include "scan/path.h"
#include "scan/pickle.h"
#include "scan/script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void change_paths(const char *text, size_t size)
{
    char plain[2 * PATH_TEXT_MAX], given[PATH_TEXT_MAX];
    if (size >= sizeof given || memchr(text, '\0', size))
        return;
    memcpy(given, text, size);
    given[size] = '\0';
    if (path_normalise(given, size, plain))
        assert(strlen(plain) <= size + 1);
    if (path_plain(given, plain, sizeof plain))
        assert(strlen(plain) < sizeof plain);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const char *text = (const char *)data + 1;
    struct buf out;
    struct fold_mem mem;
    struct fold_text unpacked;
    uint8_t language = (uint8_t)(EMBEDDED_PERL + data[0] % (EMBEDDED_UNKNOWN - EMBEDDED_PERL));
    script_as_python(language, text, size - 1, &out);
    size_t given = 0, made = 0;
    for (size_t i = 0; i + 1 < size; i++)
        given += text[i] == '\n';
    for (size_t i = 0; i < out.size; i++)
        made += out.data[i] == '\n';
    assert(out.failed || (made >= given && made <= given + 3));
    buf_done(&out);
    fold_init(&mem, 1u << 20);
    (void)fold_inflate(&mem, (struct fold_text){ text, (uint32_t)(size - 1) }, &unpacked); /* either is fine */
    (void)pickle_as_python(&mem, (struct fold_text){ text, (uint32_t)(size - 1) }, &unpacked);
    (void)yaml_as_python(&mem, (struct fold_text){ text, (uint32_t)(size - 1) }, &unpacked);
    fold_done(&mem);
    change_paths(text, size - 1);
    return 0;
}
