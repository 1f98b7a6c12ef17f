/* orders.c - reverse_shells: commands that come in the answers of the name service.
 *
 * The resolver is ours, so the text of a TXT record is known, and so is what a program is told to run. A command that
 * is such a text is no chance where it has a blank (SPF, DKIM and the proofs of domains are no commands); shorter ones
 * («id», «true») may be a setting, so two of them are wanted.
 */
#include "watch/detect.h"

#include <ctype.h>
#include <stdio.h>

#define TYPE_TXT 16u /* RFC 1035, 3.2.2 */

static void remember(struct shells *s, const struct watch_event *e)
{
    struct order *new = &s->order[s->next_order % ARRAY_LEN(s->order)];
    for (size_t i = 0; i < ARRAY_LEN(s->order); i++)
        if (str_eq(s->order[i].text, e->argv))
            return;
    s->next_order++;
    *new = (struct order){ .name = shown(e->name) };
    (void)snprintf(new->text, sizeof new->text, "%s", e->argv);
}

/* grep -c and cut -c have texts behind it that are no commands. */
static bool is_interpreter(const char *argv)
{
    const size_t n = strcspn(argv, (char[]){ WATCH_ARGV_SEPARATOR, '\0' });
    const char *slash = memrchr(argv, '/', n), *name = slash ? slash + 1 : argv;
    const size_t size = (size_t)(argv + n - name);
    return (size >= 2 && memcmp(name + size - 2, "sh", 2) == 0) || str_starts(name, "python") ||
           str_starts(name, "busybox");
}

/* What stands behind -c of an interpreter; NULL: it is no such call. */
static const char *command_of(const char *argv)
{
    if (!is_interpreter(argv))
        return NULL;
    for (const char *p = argv; (p = strchr(p, WATCH_ARGV_SEPARATOR)); p++) {
        const size_t n = strcspn(p + 1, (char[]){ WATCH_ARGV_SEPARATOR, '\0' });
        if (n >= 2 && p[1] == '-' && p[2] != '-' && memchr(p + 1, 'c', n) && p[1 + n])
            return p + 2 + n;
    }
    return NULL;
}

/* The text, and nothing else but blanks and where errors go. */
static bool is_whole(const char *command, const char *text)
{
    const size_t n = strlen(text);
    if (strncmp(command, text, n) != 0)
        return false;
    for (command += n; isspace((unsigned char)*command); command++)
        ;
    return !*command || str_eq(command, "2>&1");
}

/* A program without a shell, or the first one that a shell starts for it: «uname -a» of «uname -a; id». Not «git» of
 * «git is where the code is». */
static bool begins_with(const char *text, const char *argv)
{
    for (; *argv; argv++, text++)
        if (*text != (*argv == WATCH_ARGV_SEPARATOR ? ' ' : *argv))
            return false;
    text += strspn(text, " ");
    return !*text || strchr(";|&<>\n", *text) || str_starts(text, "2>");
}

static bool decide(const struct order *o, const struct watch_event *e, struct evidence *ret)
{
    return decided(ret, "%s, started at %s by process %u, is the text of a TXT record of %s", shown(e->argv).text,
                   shown_time(e->at_us).text, e->pid, o->name.text);
}

bool orders_feed(struct shells *s, const struct watch_event *e, struct evidence *ret)
{
    if (e->kind == WATCH_NAME && e->args[0] == TYPE_TXT && e->argv && e->argv[0])
        remember(s, e);
    if (e->kind != WATCH_EXEC || e->error || !e->argv || !e->argv[0])
        return false;
    const char *command = command_of(e->argv);
    uint32_t run = 0;
    for (size_t i = 0; i < ARRAY_LEN(s->order); i++) {
        struct order *o = &s->order[i];
        const bool is_this = o->text[1] && (command ? is_whole(command, o->text) : begins_with(o->text, e->argv));
        if (is_this && strchr(o->text, ' '))
            return decide(o, e, ret);
        o->is_run |= is_this;
        run += o->is_run;
        if (is_this && run > 1)
            return decide(o, e, ret);
    }
    return false;
}
