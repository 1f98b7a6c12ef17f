/* doctor_work.c - a directory for the trial runs, and who removes it.
 *
 * It holds a configuration that is laid over the user's own: the run's log goes into the directory too, and
 * what would tell others about the run is switched off.
 *
 * A kill -9 of doctor must not leave it behind either. So a janitor, a child that outlives us, makes it, tells
 * its name, and removes it when the socket between us says so or ends.
 */
#include "tool/doctor.h"

#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const char quiet_configuration[] = "# written by «sandbox-agent doctor» for its trial runs\n"
                                          "sandbox:\n"
                                          "  paths:\n"
                                          "    log_dir: \"%s/log\"\n"
                                          "    state_dir: \"%s/state\"\n"
                                          "security:\n"
                                          "  store_artifacts:\n"
                                          "    enabled: false\n"
                                          "monitoring:\n"
                                          "  alerts:\n"
                                          "    enabled: false\n"
                                          "endpoints:\n"
                                          "  webhooks:\n"
                                          "    enabled: false\n"
                                          "development:\n"
                                          "  debug: false\n"
                                          "  dry_run: false\n"
                                          "  verbose: false\n";

static int write_file(const char *path, const char *text)
{
    cleanup(closep) int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return -errno;
    return write(fd, text, strlen(text)) == (ssize_t)strlen(text) ? 0 : -EIO;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st, (void)type, (void)at;
    (void)remove(path); /* what resists is seen when its directory resists */
    return 0;
}

/* The directory is ours alone (0700), so no other user can put a link in our way. */
static void remove_tree(const char *path)
{
    (void)nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

struct janitor_says {
    int error;
    char dir[2048];
};

static _Noreturn void janitor_main(const char *template, int doctor)
{
    struct janitor_says say = { 0 };
    char byte;
    ssize_t n;
    (void)setsid(); /* Ctrl-C is not for it */
    (void)snprintf(say.dir, sizeof say.dir, "%s", template);
    if (!mkdtemp(say.dir))
        say.error = errno;
    (void)send(doctor, &say, sizeof say, MSG_NOSIGNAL); /* no process there: seen at once below */
    if (say.error)
        _exit(1);
    do
        n = read(doctor, &byte, 1);
    while (n < 0 && errno == EINTR);
    /* without a word of farewell we were killed: a run may be dying as well, and still be writing */
    for (int tries = n == 1 ? 1 : 10; tries > 0; tries--) {
        remove_tree(say.dir);
        if (tries > 1)
            (void)usleep(200000);
    }
    _exit(0);
}

/* 0: d->work_dir exists. */
static int janitor_start(struct doctor *d, const char *template)
{
    struct janitor_says say;
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds) < 0)
        return -errno;
    pid_t pid = fork();
    if (pid == 0) {
        (void)close(fds[1]);
        janitor_main(template, fds[0]);
    }
    (void)close(fds[0]);
    int r = pid < 0 ? -errno : recv(fds[1], &say, sizeof say, 0) != (ssize_t)sizeof say ? -EPIPE : -say.error;
    if (r == 0 && !(d->work_dir = strdup(say.dir)))
        r = -ENOMEM;
    d->janitor_fd = fds[1];
    if (r < 0) {
        closep(&d->janitor_fd); /* and so ends a janitor */
        if (pid > 0)
            (void)waitpid(pid, NULL, 0);
        return r;
    }
    d->janitor = pid;
    return 0;
}

void work_dir_remove(struct doctor *d)
{
    char byte = 0;
    if (!d->work_dir)
        return;
    (void)send(d->janitor_fd, &byte, 1, MSG_NOSIGNAL); /* one that was killed cannot be helped */
    closep(&d->janitor_fd);
    (void)waitpid(d->janitor, NULL, 0);
    free(TAKE_PTR(d->work_dir));
}

static int work_dir_fill(const struct doctor *d)
{
    char path[4096], text[8192];
    (void)snprintf(path, sizeof path, "%s/log", d->work_dir);
    if (mkdir(path, 0700) < 0)
        return -errno;
    (void)snprintf(text, sizeof text, quiet_configuration, d->work_dir, d->work_dir);
    (void)snprintf(path, sizeof path, "%s/config.yaml", d->work_dir);
    return write_file(path, text);
}

int work_dir_make(struct doctor *d)
{
    char template[2048];
    const char *tmp = getenv("TMPDIR");
    if (d->work_dir)
        return 0;
    tmp = tmp && tmp[0] == '/' ? tmp : "/tmp";
    int n = snprintf(template, sizeof template, "%s/sandbox-agent-doctor.XXXXXX", tmp);
    if (n < 0 || (size_t)n >= sizeof template || strpbrk(tmp, "\"\\")) /* it goes into YAML */
        return -EINVAL;
    int r = janitor_start(d, template);
    if (r == 0 && (r = work_dir_fill(d)) < 0) /* a full disk: the next level may find room again */
        work_dir_remove(d);
    return r;
}
