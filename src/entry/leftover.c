/* leftover.c - what the payload leaves in its workspace: opened and read as it goes on its way, in pieces. */
#include "entry/entry.h"

#include <fcntl.h>
#include <sys/mman.h>
#include "base/kernel.h"

#define PAGE 4096u

/* Pages of ours that are there already need no memory that the workspace might have used up. A fault each costs four
 * times as much as all at once. */
static void touch(void *memory, size_t size)
{
    uintptr_t begin = (uintptr_t)memory & ~(uintptr_t)(PAGE - 1);
    if (madvise((void *)begin, (uintptr_t)memory + size - begin, KMADV_POPULATE_WRITE) == 0)
        return;
    volatile char *p = memory;
    for (size_t i = 0; i < size; i += PAGE)
        p[i] = p[i];
    p[size - 1] = p[size - 1];
}

void leftover_prepare(struct entry *e)
{
    if (!e->plan.workspace)
        return;
    touch(&e->leftover, sizeof e->leftover);
    touch(e->out_bytes, LEFTOVER_OUT + FRAME_MAX_UP);
}

void leftover_open(struct entry *e)
{
    if (!e->plan.workspace)
        return;
    cleanup(closep) int dir = open(e->plan.workspace, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    e->has_leftover = true;
    if ((dir < 0 || leftover_begin(&e->leftover, dir, e->plan.workspace_max) < 0) && !e->leftover.rest.unreadable)
        e->leftover.rest.unreadable = 1; /* the directory itself */
}

static void tell_rest(struct entry *e)
{
    leftover_done(&e->leftover);
    tell_fields(e, FRAME_REST, workspace_rest_fields, workspace_rest_field_count, &e->leftover.rest);
    e->has_leftover = false;
}

void leftover_tell(struct entry *e)
{
    e->file_fd = leftover_next(&e->leftover, &e->file_size);
    if (e->file_fd < 0) {
        tell_rest(e);
        return;
    }
    e->file_left = e->file_size;
    const struct entry_file file = { .path = e->leftover.path, .size = e->file_size };
    tell_fields(e, FRAME_FILE, entry_file_fields, entry_file_field_count, &file);
    if (!e->file_left)
        closep(&e->file_fd);
}

size_t leftover_read(struct entry *e, char *to, size_t max)
{
    ssize_t n = read(e->file_fd, to, (size_t)MIN_OF((uint64_t)max, e->file_left));
    if (n <= 0)
        leftover_take_back(&e->leftover, e->file_size);
    else
        e->file_left -= (uint64_t)n;
    if (n <= 0 || !e->file_left)
        closep(&e->file_fd);
    return n < 0 ? 0 : (size_t)n;
}
