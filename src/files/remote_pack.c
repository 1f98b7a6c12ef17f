#include "files/remote_pack.h"

#include <stdio.h>

#define R(m, max) FIELD_U(struct remote_request, m, max)
static const struct field request_fields[] = { R(op, REMOTE_OPS - 1),
                                               FIELD_S(struct remote_request, path),
                                               FIELD_S(struct remote_request, to),
                                               R(mode, UINT32_MAX),
                                               R(max_bytes, UINT64_MAX),
                                               R(depth, UINT32_MAX),
                                               R(max_entries, UINT32_MAX),
                                               R(replaces, 1),
                                               R(number, UINT64_MAX) };
#undef R

void remote_pack_request(struct buf *b, const struct remote_request *r)
{
    pack_fields(b, request_fields, ARRAY_LEN(request_fields), r);
}

int remote_unpack_request(struct unpack *u, struct remote_request *ret)
{
    unpack_fields(u, request_fields, ARRAY_LEN(request_fields), ret);
    return unpack_end(u) < 0 || !ret->op || !ret->path || !ret->to ? -EBADMSG : 0;
}

/* --- what comes from inside ------------------------------------------------------------------------------- */

static void pack_stat(struct buf *b, const struct wfile_stat *st)
{
    const uint64_t numbers[] = { st->kind, st->mode, st->size, (uint64_t)st->modified_s, st->modified_ns };
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        pack_u64(b, numbers[i]);
}

static bool unpack_stat(struct unpack *u, struct wfile_stat *ret)
{
    uint64_t numbers[5];
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        numbers[i] = unpack_u64(u);
    if (numbers[0] > WFILE_DEVICE || numbers[1] > 0777 || numbers[2] > INT64_MAX || numbers[4] > 999999999)
        return false;
    *ret = (struct wfile_stat){ .kind = (enum wfile_kind)numbers[0],
                                .mode = (uint32_t)numbers[1],
                                .size = numbers[2],
                                .modified_s = (int64_t)numbers[3],
                                .modified_ns = (uint32_t)numbers[4] };
    return true;
}

void remote_pack_entry(struct buf *b, const struct wfile_entry *e)
{
    pack_stat(b, &e->stat);
    pack_str(b, e->name);
    pack_str(b, e->target);
}

int remote_unpack_entry(struct unpack *u, struct wfile_entry *ret)
{
    const bool is_sound = unpack_stat(u, &ret->stat);
    ret->name = unpack_str(u);
    ret->target = unpack_str(u);
    if (unpack_end(u) < 0 || !is_sound || !ret->name || !ret->target)
        return -EBADMSG;
    return wfile_path_is_sound(ret->name, strlen(ret->name)) && strlen(ret->target) < PATH_MAX ? 0 : -EBADMSG;
}

void remote_pack_event(struct buf *b, const struct wfile_event *e)
{
    pack_u64(b, e->change);
    pack_u64(b, e->is_directory);
    pack_str(b, e->name);
}

int remote_unpack_event(struct unpack *u, struct wfile_event *ret)
{
    const uint64_t change = unpack_u64(u), is_directory = unpack_u64(u);
    ret->name = unpack_str(u);
    if (unpack_end(u) < 0 || change >= WFILE_CHANGES || is_directory > 1 || !ret->name)
        return -EBADMSG;
    ret->change = (enum wfile_change)change;
    ret->is_directory = is_directory;
    const bool has_name = change != WFILE_OVERFLOW && change != WFILE_GONE;
    return has_name == wfile_path_is_sound(ret->name, strlen(ret->name)) ? 0 : -EBADMSG;
}

void remote_pack_reply(struct buf *b, const struct remote_reply *r)
{
    pack_u64(b, (uint64_t)-r->error);
    pack_stat(b, &r->stat);
    pack_str(b, r->text);
    pack_u64(b, r->is_made);
    pack_u64(b, r->is_cut);
    pack_u64(b, r->count);
    pack_u64(b, r->bytes);
}

int remote_unpack_reply(struct unpack *u, struct remote_reply *ret)
{
    const uint64_t error = unpack_u64(u);
    const bool is_sound = unpack_stat(u, &ret->stat);
    const char *text = unpack_str(u);
    const uint64_t is_made = unpack_u64(u), is_cut = unpack_u64(u);
    ret->count = unpack_u64(u);
    ret->bytes = unpack_u64(u);
    if (unpack_end(u) < 0 || !is_sound || !text || error > 4095 || is_made > 1 || is_cut > 1)
        return -EBADMSG;
    ret->error = -(int)error;
    ret->is_made = is_made;
    ret->is_cut = is_cut;
    return snprintf(ret->text, sizeof ret->text, "%s", text) < (int)sizeof ret->text ? 0 : -EBADMSG;
}
