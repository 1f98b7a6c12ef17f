#include "cli/terminal.h"

#include <termios.h>
#include <unistd.h>

#include "base/terminal.h"

static struct termios before; /* of ours: one process has one */
static bool is_raw;

static int refuse(struct error *err, const char *why, const char *remedy)
{
    (void)err_set(err, -ENOTTY, BLAME_CALLER, NULL, "--tty: %s", why);
    return err_remedy(err, "%s", remedy);
}

int terminal_check(struct options *o, struct error *err)
{
    o->terminal = -1;
    if (!o->has_terminal)
        return 0;
    if (o->json)
        return refuse(err, "--json keeps the output for the result", "leave one of the two out");
    if (o->stdin_file)
        return refuse(err, "--stdin: the input comes from the terminal", "leave one of the two out");
    if (!isatty(STDIN_FILENO))
        return refuse(err, "standard input is no terminal",
                      "leave --tty out; a command behind -- reads what is piped to it");
    o->stdin_file = "-";
    return 0;
}

int terminal_open(struct exec *s, struct error *err)
{
    struct winsize size = { 0 };
    if (!s->options.has_terminal)
        return 0;
    (void)ioctl(STDIN_FILENO, TIOCGWINSZ, &size);
    const int terminal = terminal_new(&size), sizes = terminal < 0 ? terminal : terminal_sizes();
    s->options.terminal = s->stream.terminal = terminal;
    s->stream.sizes = sizes;
    if (sizes < 0 || tcgetattr(STDIN_FILENO, &before) < 0)
        return err_set(err, sizes < 0 ? sizes : -errno, BLAME_HOST, "STREAM", "--tty: %s",
                       strerror(sizes < 0 ? -sizes : errno));
    struct termios raw = before;
    cfmakeraw(&raw);
    is_raw = tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0;
    return is_raw ? 0 : err_set(err, -errno, BLAME_HOST, "STREAM", "--tty: %m");
}

void terminal_restore(struct exec *s)
{
    if (is_raw)
        (void)tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
    is_raw = false;
    closep(&s->stream.sizes);
    if (s->options.has_terminal)
        closep(&s->options.terminal);
}
