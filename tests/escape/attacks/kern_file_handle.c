/* class: kernel
 * what: takes file handles with name_to_handle_at, the first half of opening files outside by number
 */
#include "attack.h"

static const char *path;
static int take(void)
{
    struct {
        unsigned bytes;
        int type;
        unsigned char data[128];
    } h = { .bytes = 128 };
    int mount_id;
    return syscall(SYS_name_to_handle_at, AT_FDCWD, path, &h, &mount_id, 0) < 0 ? errno : 0;
}

int main(void)
{
    static const char *const paths[] = { "/", "/usr", "/tmp", "/attack" };
    for (int i = 0; i < 4; i++) {
        path = paths[i];
        attempt_gate(path, take);
    }
    verdict();
}
