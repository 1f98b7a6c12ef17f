#include "run/alert.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "audit/dir.h"
#include "base/json.h"
#include "run/event_log.h"
#include "run/rotate.h"

#define COMMAND_PATIENCE_MS 5000

static void complain(const char *channel, const char *why)
{
    (void)fprintf(stderr, "sandbox-agent: alert to %s: %s\n", channel, why);
}

static void make_line(struct buf *b, const char *condition, const char *agent_id, const char *message)
{
    char when[32];
    time_t now = time(NULL);
    struct tm utc;
    (void)gmtime_r(&now, &utc);
    (void)strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    json_open(b, '{');
    json_key(b, "@timestamp"), json_put_string(b, when);
    json_key(b, "condition"), json_put_string(b, condition);
    json_key(b, "agent_id"), json_put_string(b, agent_id);
    json_key(b, "message"), json_put_string(b, message);
    json_close(b, '}');
    (void)buf_addc(b, '\n');
}

static void to_log(const struct trail *t, const struct buf *line, struct arena *a)
{
    const char *path = arena_printf(a, "%s/alerts.log", trail_dir(t));
    cleanup(closep) int dir = open(trail_dir(t), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cleanup(dir_leave) struct dir_visit visit = dir_enter(dir);
    cleanup(closep) int fd = dir < 0 ? -1 : rotate_open(dir, "alerts.log");
    if (fd < 0 || write(fd, line->data, line->size) != (ssize_t)line->size)
        complain(path, strerror(errno));
}

/* At the channel's level (log:LEVEL; log alone: warn), where monitoring.logging.level takes that. */
static void log_alert(const struct trail *t, const struct config *c, const char *channel, const char *condition,
                      const char *agent_id, const char *message, const struct buf *line, struct arena *a)
{
    enum log_level level = LOG_WARN;
    for (size_t i = 0; channel[3] == ':' && log_level_names[i]; i++)
        if (str_eq(channel + 4, log_level_names[i]))
            level = (enum log_level)i;
    if (level < (enum log_level)c->monitoring.logging.level)
        return;
    to_log(t, line, a);
    event_log_alert(t, c, level, condition, agent_id, message);
}

/* Runs with our user's rights, but not with our environment: what is in there is for us. */
static void to_command(const char *path, const struct buf *line)
{
    static char *const env[] = { (char *)"PATH=/usr/local/bin:/usr/bin:/bin", NULL };
    char *const argv[] = { (char *)path, NULL };
    cleanup(closep) int text = memfd_create("alert", MFD_CLOEXEC);
    if (text < 0 || write(text, line->data, line->size) != (ssize_t)line->size || lseek(text, 0, SEEK_SET) < 0) {
        complain(path, strerror(errno));
        return;
    }
    pid_t pid = fork();
    if (pid == 0) {
        sigset_t none;
        (void)sigemptyset(&none);
        (void)sigprocmask(SIG_SETMASK, &none, NULL); /* the run had some blocked */
        if (setsid() > 0 && dup2(text, STDIN_FILENO) == STDIN_FILENO && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
            (void)execve(path, argv, env);
        _exit(127);
    }
    if (pid < 0) {
        complain(path, strerror(errno));
        return;
    }
    cleanup(closep) int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
    struct pollfd ended = { .fd = pidfd, .events = POLLIN };
    int status = 0;
    if (pidfd < 0 || poll(&ended, 1, COMMAND_PATIENCE_MS) == 0) {
        (void)kill(-pid, SIGKILL);
        (void)kill(pid, SIGKILL);
        complain(path, "still running after 5 s: killed");
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFEXITED(status) && WEXITSTATUS(status))
        complain(path, WEXITSTATUS(status) == 127 ? "could not be started" : "ended with an error");
}

static void to_webhook(const struct trail *t, const struct buf *line)
{
    if (t->shared && t->shared->alert)
        t->shared->alert(t->shared->alert_context, line->data, line->size);
    else
        complain("webhook", "the service posts (endpoints.webhooks); the command line does not");
}

static bool is_to_people(const char *channel)
{
    return str_starts(channel, "email:") || str_starts(channel, "slack:") || str_starts(channel, "teams:") ||
           str_starts(channel, "matrix:");
}

/* The messenger knows its channels: it is told once. */
static void to_people(const struct trail *t, const char *channel, bool *was_told, const char *condition,
                      const char *agent_id, const char *message)
{
    if (!t->shared || !t->shared->tell)
        complain(channel, "the service sends it; the command line does not");
    else if (!*was_told)
        t->shared->tell(t->shared->tell_context, condition, agent_id ? agent_id : "", message);
    *was_told = true;
}

void alert_send(const struct trail *t, const struct config *c, const char *condition, const char *agent_id,
                const char *message, struct arena *a)
{
    struct buf line;
    bool was_told = false;
    if (!c->monitoring.alerts.enabled)
        return;
    buf_init(&line, 4 * KIB);
    make_line(&line, condition, agent_id, message);
    STRLIST_FOREACH(channel, &c->monitoring.alerts.channels)
    {
        if (str_eq(channel, "log") || str_starts(channel, "log:"))
            log_alert(t, c, channel, condition, agent_id, message, &line, a);
        else if (str_starts(channel, "command:"))
            to_command(channel + strlen("command:"), &line);
        else if (is_to_people(channel))
            to_people(t, channel, &was_told, condition, agent_id, message);
        else /* webhook: config_check() knows no other */
            to_webhook(t, &line);
    }
    buf_done(&line);
}
