#include "cli/terminal.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

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

/* Its name is of no use inside, where there is no /dev/pts of ours: run/launch.c opens the other side by this one. */
static int open_new(int *ret)
{
    struct winsize size;
    int locked = 0;
    *ret = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (*ret < 0 || ioctl(*ret, TIOCSPTLCK, &locked) < 0)
        return -errno;
    if (ioctl(STDIN_FILENO, TIOCGWINSZ, &size) == 0)
        (void)ioctl(*ret, TIOCSWINSZ, &size);
    return 0;
}

static int open_sizes(void)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGWINCH);
    (void)sigprocmask(SIG_BLOCK, &set, NULL);
    return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int terminal_open(struct exec *s, struct error *err)
{
    if (!s->options.has_terminal)
        return 0;
    int e = open_new(&s->options.terminal);
    s->stream.terminal = s->options.terminal;
    if (e < 0 || (s->stream.sizes = open_sizes()) < 0 || tcgetattr(STDIN_FILENO, &before) < 0)
        return err_set(err, e < 0 ? e : -errno, BLAME_HOST, "STREAM", "--tty: %s", strerror(e < 0 ? -e : errno));
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
