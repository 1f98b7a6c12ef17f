#include "front/mcp_result.h"

#include <limits.h>

#include "audit/hmac.h"
#include "base/json.h"
#include "base/utf8.h"

#define RESULT_MAX (64 * MIB)

void mcp_result_init(struct mcp_result *r)
{
    *r = (struct mcp_result){ 0 };
    buf_init(&r->structured, RESULT_MAX);
    buf_init(&r->content, RESULT_MAX);
}

void mcp_result_done(struct mcp_result *r)
{
    buf_done(&r->structured);
    buf_done(&r->content);
}

/* As it is, where it is there and says something: a schema of optional members is shorter than one with nulls. */
static void copy(struct body *from, const char *name, struct buf *out)
{
    struct buf value;
    buf_init(&value, RESULT_MAX);
    body_json(from, name, &value);
    out->failed |= value.failed;
    if (value.size && !str_eq(value.data, "[]") && !str_eq(value.data, "false"))
        json_key(out, name), (void)buf_add(out, value.data, value.size);
    buf_done(&value);
}

/* How much of it ends with a whole character. */
static size_t whole_characters(const char *text, size_t size)
{
    while (size && ((unsigned char)text[size] & 0xc0) == 0x80)
        size--;
    return size;
}

static void copy_output(struct body *from, const char *name, const char *truncated, struct buf *out)
{
    size_t size = 0;
    const char *text = body_bytes(from, name, SIZE_MAX, &size);
    const bool is_cut = size > MCP_OUTPUT_MAX;
    if (!text)
        return;
    json_key(out, name), json_bytes(out, text, is_cut ? whole_characters(text, MCP_OUTPUT_MAX) : size);
    if (is_cut || body_bool(from, truncated, false))
        json_key(out, truncated), json_bool(out, true);
}

/* The program ended by itself, whatever its exit code: that is what was asked for. */
static bool has_ended_itself(const char *reason)
{
    return reason && (str_eq(reason, "completed") || str_eq(reason, "error"));
}

void mcp_tell_run(struct body *answer, struct mcp_result *ret)
{
    static const char *const before[] = { "reason", "exit_code", "signal" }, *const behind[] = {
        "kill_switch", "error", "violations", "findings", "duration_ms", "risk_level", "execution_id", "session_id"
    };
    struct buf *out = &ret->structured;
    json_open(out, '{');
    for (size_t i = 0; i < ARRAY_LEN(before); i++)
        copy(answer, before[i], out);
    copy_output(answer, "stdout", "stdout_truncated", out);
    copy_output(answer, "stderr", "stderr_truncated", out);
    for (size_t i = 0; i < ARRAY_LEN(behind); i++)
        copy(answer, behind[i], out);
    json_close(out, '}');
    ret->is_error = !has_ended_itself(body_text(answer, "reason", 64));
}

void mcp_tell_members(struct body *from, const char *const *names, struct mcp_result *ret)
{
    json_open(&ret->structured, '{');
    for (; *names; names++)
        copy(from, *names, &ret->structured);
    json_close(&ret->structured, '}');
}

/* --- files ---------------------------------------------------------------------------------------------------- */

void mcp_tell_written(struct body *answer, struct mcp_result *ret)
{
    json_open(&ret->structured, '{');
    if (body_kind(answer, "name") == BODY_TEXT)
        json_key(&ret->structured, "path"), json_put_string(&ret->structured, body_text(answer, "name", PATH_MAX));
    copy(answer, "size", &ret->structured);
    json_close(&ret->structured, '}');
}

/* By what it begins with: what a client may be shown as a picture. */
static const char *picture_type(const char *data, size_t size)
{
    static const struct {
        const char *begin, *type;
        size_t size;
    } types[] = { { "\x89PNG\r\n\x1a\n", "image/png", 8 },
                  { "\xff\xd8\xff", "image/jpeg", 3 },
                  { "GIF87a", "image/gif", 6 },
                  { "GIF89a", "image/gif", 6 } };
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        if (size >= types[i].size && memcmp(data, types[i].begin, types[i].size) == 0)
            return types[i].type;
    return size >= 12 && memcmp(data, "RIFF", 4) == 0 && memcmp(data + 8, "WEBP", 4) == 0 ? "image/webp" : NULL;
}

static void put_base64(struct buf *out, const char *name, const char *data, size_t size)
{
    json_key(out, name), (void)buf_addc(out, '"');
    base64_write(out, data, size);
    (void)buf_addc(out, '"');
}

static void put_picture(const char *type, const char *data, size_t size, struct mcp_result *ret)
{
    struct buf *out = &ret->content;
    json_open(out, '{');
    json_key(out, "type"), json_put_string(out, "image");
    put_base64(out, "data", data, size);
    json_key(out, "mimeType"), json_put_string(out, type);
    json_close(out, '}');
    (void)buf_addc(out, ',');
}

void mcp_tell_file(const char *data, size_t size, struct mcp_result *ret)
{
    struct buf *out = &ret->structured;
    data = data ? data : "";
    const bool is_all = size < MCP_FILE_MAX;
    const char *picture = is_all ? picture_type(data, size) : NULL;
    const size_t shown = MIN_OF(size, MCP_OUTPUT_MAX), whole = shown < size ? whole_characters(data, shown) : size;
    json_open(out, '{');
    if (picture)
        json_key(out, "mime_type"), json_put_string(out, picture), put_picture(picture, data, size, ret);
    else if (utf8_is(data, whole))
        json_key(out, "content"), json_bytes(out, data, whole);
    else
        put_base64(out, "content_base64", data, shown);
    if (is_all)
        json_key(out, "size"), json_uint(out, size);
    if (!picture && shown < size)
        json_key(out, "truncated"), json_bool(out, true);
    json_close(out, '}');
}

void mcp_tell_error(struct body *answer, struct mcp_result *ret)
{
    struct buf *out = &ret->structured;
    struct body *error = body_object(answer, "error");
    const char *code = error ? body_text(error, "code", 64) : NULL;
    json_open(out, '{');
    json_key(out, "reason"), json_put_string(out, code ? code : "internal_error");
    copy(answer, "error", out);
    json_close(out, '}');
    ret->is_error = true;
}

void mcp_tool_refuse(const struct error *err, struct mcp_result *ret)
{
    struct buf *out = &ret->structured;
    const char *code = err->blame == BLAME_CALLER ? "invalid_value" : "internal_error";
    json_open(out, '{');
    json_key(out, "reason"), json_put_string(out, code);
    json_key(out, "error"), json_open(out, '{');
    json_key(out, "code"), json_put_string(out, code);
    json_key(out, "message"), json_put_string(out, err->text);
    if (err->remedy[0]) {
        json_key(out, "details"), json_open(out, '{');
        json_key(out, "remedy"), json_put_string(out, err->remedy);
        json_close(out, '}');
    }
    json_close(out, '}');
    json_close(out, '}');
    ret->is_error = true;
}
