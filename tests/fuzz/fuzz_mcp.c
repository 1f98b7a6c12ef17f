/* Whatever a client of the Model Context Protocol posts, with whatever headers: a message that holds what mcp_message.h
 * promises, or a fault with a number and words. The input is MCP-Protocol-Version, Mcp-Method and Mcp-Name, each up to
 * its NUL, then the body; without three NULs all of it is the body. */
#include "front/mcp_message.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As a header has it: up to the NUL, or NULL where it is empty. */
static const char *next_header(char **at, size_t *left)
{
    char *text = *at, *end = memchr(text, '\0', *left);
    *left -= (size_t)(end - text) + 1;
    *at = end + 1;
    return *text ? text : NULL;
}

static size_t count_nuls(const char *text, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++)
        n += !text[i];
    return n;
}

static void check_message(const struct mcp_message *m)
{
    assert(m->root && (m->method || m->kind == MCP_RESPONSE) && (m->kind != MCP_REQUEST || m->id));
    assert(!m->id || (m->id[0] && strlen(m->id) <= 256));
    assert(!m->meta || m->params);
    assert(!m->is_modern || m->kind != MCP_REQUEST || m->meta);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = { 0 };
    struct mcp_message m;
    struct mcp_fault f;
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    char *body = text;
    struct http_inner inner = { 0 };
    static const char *const names[] = { "MCP-Protocol-Version", "Mcp-Method", "Mcp-Name" };
    for (size_t i = 0, k = 0, has = count_nuls(text, size) >= 3; has && i < 3; i++) {
        const char *value = next_header(&body, &size);
        if (value)
            inner.headers[k++] = (struct http_pair){ names[i], value };
    }
    const struct http_request q = { .body = body, .body_size = size, .arena = &arena, .inner = &inner };
    if (mcp_message_read(&q, &m, &f) == 0)
        check_message(&m);
    else
        assert(f.code < 0 && f.status >= 400 && f.text[0]);
    mcp_message_done(&m);
    arena_done(&arena);
    free(text);
    return 0;
}
