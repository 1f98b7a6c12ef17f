#include "watch/event.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <sys/socket.h>

const char *const watch_kind_names[WATCH_KIND_COUNT] = { NULL,   "exec",   "call",  "socket",  "connect",
                                                         "bind", "listen", "name",  "traffic", "closed",
                                                         "file", "sample", "limit", "words",   "feed",
                                                         "lost", "end",    "begun", "starting" };

#define E(m, max) FIELD_U(struct watch_event, m, max)
const struct field watch_event_fields[] = {
    E(at_us, UINT64_MAX),
    E(kind, WATCH_KIND_COUNT - 1),
    E(verdict, WATCH_REFUSED),
    E(pid, INT32_MAX),
    E(inside, INT32_MAX),
    E(parent, INT32_MAX),
    E(nr, UINT32_MAX),
    E(error, 4095),
    E(args[0], UINT64_MAX),
    E(args[1], UINT64_MAX),
    E(args[2], UINT64_MAX),
    E(family, UINT8_MAX),
    E(protocol, UINT8_MAX),
    E(port, UINT16_MAX),
    E(address[0], UINT64_MAX),
    E(address[1], UINT64_MAX),
    E(connection, UINT64_MAX),
    E(bytes_out, UINT64_MAX),
    E(bytes_in, UINT64_MAX),
    E(cpu_us, UINT64_MAX),
    E(memory_bytes, UINT64_MAX),
    E(pids, UINT32_MAX),
    E(flags, UINT32_MAX),
    E(stdio0, WATCH_FD_OTHER),
    E(stdio1, WATCH_FD_OTHER),
    E(stdio2, WATCH_FD_OTHER),
    E(stdio_id0, UINT64_MAX),
    E(stdio_id1, UINT64_MAX),
    E(stdio_id2, UINT64_MAX),
    FIELD_S(struct watch_event, text),
    FIELD_S(struct watch_event, name),
    FIELD_S(struct watch_event, argv),
};
#undef E
const size_t watch_event_field_count = ARRAY_LEN(watch_event_fields);

void watch_event_pack(struct buf *b, const struct watch_event *e)
{
    pack_fields(b, watch_event_fields, watch_event_field_count, e);
}

int watch_event_unpack(const void *data, size_t size, struct watch_event *ret)
{
    struct unpack u = unpack_start(data, size);
    struct watch_event e = { 0 };
    unpack_fields(&u, watch_event_fields, watch_event_field_count, &e);
    if (unpack_end(&u) < 0 || e.kind == 0)
        return -EBADMSG;
    *ret = e;
    return 0;
}

void watch_event_address(const struct watch_event *e, char out[static WATCH_ADDRESS_MAX])
{
    char text[INET6_ADDRSTRLEN] = "?";
    (void)inet_ntop(e->family == AF_INET6 ? AF_INET6 : AF_INET, e->address, text, sizeof text);
    (void)snprintf(out, WATCH_ADDRESS_MAX, e->family == AF_INET6 ? "[%s]:%u" : "%s:%u", text, e->port);
}
