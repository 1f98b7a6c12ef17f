#include "engine/collected.h"

#include "base/message.h"
#include "entry/frame.h"

void collected_init(struct collected *k, bool is_wanted, uint64_t max_bytes)
{
    *k = (struct collected){ .bundle = { .fd = -1 }, .is_wanted = is_wanted, .left_bytes = max_bytes };
}

/* Without memory for it (a limit of ours, or of the machine) a file goes, and the run stands. */
static void note(struct collected *k, int r)
{
    if (r == 0 || k->is_lost)
        return;
    k->is_lost = true;
    k->rest.unreadable++;
}

/* The one that was coming, before something else does: whole, or none. */
static void settle(struct collected *k)
{
    if (k->is_coming && !k->is_lost && k->file_left == 0) {
        bundle_end_file(&k->bundle);
        k->files++;
        k->left_bytes -= k->file_size;
    }
    k->is_coming = false;
}

int collected_file(struct collected *k, const void *data, size_t size)
{
    struct entry_file f;
    if (!k->is_wanted || k->is_whole || frame_get_file(data, size, &f) < 0)
        return -EBADMSG;
    settle(k);
    if (k->files >= WORKSPACE_MAX_FILES || f.size > k->left_bytes)
        return -EBADMSG;
    k->is_coming = true;
    k->is_lost = false;
    k->file_size = k->file_left = f.size;
    int r = k->bundle.fd < 0 ? bundle_open(&k->bundle) : 0;
    note(k, r < 0 ? r : bundle_begin_file(&k->bundle, f.path, f.size));
    return 0;
}

int collected_data(struct collected *k, const void *data, size_t size)
{
    if (!k->is_coming || size > k->file_left)
        return -EBADMSG;
    k->file_left -= size;
    if (!k->is_lost)
        note(k, bundle_add(&k->bundle, data, size));
    return 0;
}

int collected_rest(struct collected *k, const void *data, size_t size)
{
    struct workspace_rest rest;
    if (!k->is_wanted || k->is_whole || frame_get_rest(data, size, &rest) < 0 || rest.is_late)
        return -EBADMSG;
    settle(k);
    rest.unreadable += MIN_OF(k->rest.unreadable, UINT32_MAX - rest.unreadable);
    k->rest = rest;
    k->is_whole = true;
    return 0;
}

void collected_send(struct collected *k, int sock)
{
    if (!k->is_wanted || sock < 0)
        return;
    settle(k);
    k->rest.is_late = !k->is_whole;
    int r = k->bundle.fd < 0 ? bundle_open(&k->bundle) : 0;
    if (r == 0 && bundle_seal(&k->bundle, &k->rest) == 0)
        (void)send_message(sock, "w", 1, &k->bundle.fd, 1);
}

void collected_done(struct collected *k)
{
    bundle_done(&k->bundle);
}
