#include "engine/turn.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

/* By the socket's place in its file system: one engine may be known by several paths. */
static bool name_turn(struct sockaddr_un *to, socklen_t *ret_size, const char *engine_socket, unsigned number)
{
    struct stat st;
    if (stat(engine_socket, &st) < 0)
        return false;
    *to = (struct sockaddr_un){ .sun_family = AF_UNIX };
    int n = snprintf(to->sun_path + 1, sizeof to->sun_path - 1, "sandbox-agent/turn/%u/%llx:%llx/%u",
                     (unsigned)getuid(), (unsigned long long)st.st_dev, (unsigned long long)st.st_ino, number);
    *ret_size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    return n > 0 && (size_t)n < sizeof to->sun_path - 1;
}

bool turn_take(struct turn *t, const char *engine_socket)
{
    cleanup(closep) int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (t->fd >= 0 || fd < 0)
        return true;
    for (unsigned i = 0; i < TURNS_MAX; i++) {
        struct sockaddr_un to;
        socklen_t size;
        if (!name_turn(&to, &size, engine_socket, i))
            return true;
        if (bind(fd, (const void *)&to, size) == 0) {
            t->fd = TAKE_FD(fd);
            return true;
        }
        if (errno != EADDRINUSE)
            return true;
    }
    return false;
}

void turn_end(struct turn *t)
{
    closep(&t->fd);
}
