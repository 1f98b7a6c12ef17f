#include "watch/habits.h"

#include <stdio.h>

#include "filter/syscalls.h"
#include "watch/detect.h"

static void add(struct habits *h, const char *verb, const char *what, const char *rest)
{
    char text[HABIT_MAX];
    (void)snprintf(text, sizeof text, "%s%.96s%s", verb, what, rest);
    for (uint32_t i = 0; i < h->count; i++)
        if (str_eq(h->text[i], text))
            return;
    if (h->count < HABITS_MAX)
        memcpy(h->text[h->count++], text, sizeof text);
}

/* What an agent writes itself has another name each time. */
static void add_program(struct habits *h, const struct watch_event *e)
{
    if (e->error || !e->text || !*e->text)
        return;
    if (e->flags & WATCH_WRITABLE_PLACE)
        add(h, "runs ", "a program of its own", "");
    else
        add(h, "runs ", shown(e->text).text, "");
}

static void add_host(struct habits *h, const struct watch_event *e)
{
    char address[WATCH_ADDRESS_MAX], rest[32];
    if (!is_outward(e) || e->verdict == WATCH_REFUSED)
        return;
    const char *protocol = e->protocol == IPPROTO_UDP ? "/udp" : "";
    if (e->name && *e->name) {
        (void)snprintf(rest, sizeof rest, ":%u%s", e->port, protocol);
        add(h, "connects to ", shown(e->name).text, rest);
    } else {
        watch_event_address(e, address);
        add(h, "connects to ", address, protocol);
    }
}

void habits_add(struct habits *h, const struct watch_event *e)
{
    char number[32];
    switch ((enum watch_kind)e->kind) {
    case WATCH_EXEC:
        add_program(h, e);
        break;
    case WATCH_CONNECT:
        add_host(h, e);
        break;
    case WATCH_FILE: /* of the others there are too many, and their names say nothing */
        if (e->flags & (WATCH_SENSITIVE | WATCH_CANARY | WATCH_SETTINGS))
            add(h, "opens ", shown(e->text).text, "");
        break;
    case WATCH_CALL:
        (void)snprintf(number, sizeof number, "call %u", e->nr);
        if (e->error && e->error != EAGAIN)
            add(h, "asks for ", e->nr <= INT32_MAX && syscall_name((int)e->nr) ? syscall_name((int)e->nr) : number,
                "()");
        break;
    case WATCH_SOCKET:
        if (e->error)
            add(h, "asks for ", "a socket", "");
        break;
    default:
        break;
    }
}

void habits_print(const struct habits *h, struct buf *b)
{
    for (uint32_t i = 0; i < h->count; i++)
        (void)buf_addf(b, "%s\n", h->text[i]);
}
