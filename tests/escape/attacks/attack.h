/* attack.h - what every C attack needs: the one line of verdict, errno names, the harness's parameters.
 *
 * An attack calls escaped() as soon as anything worked. Everything refused is noted with refused();
 * verdict() then prints CONTAINED with the notes. Variants that could kill the caller (a filter may
 * answer with SIGSYS) run in a child: attempt().
 *
 * «Gate» calls use arguments that cannot do harm even for real root, because the kernel checks the
 * privilege first and the arguments second: any answer but a refusal shows that the gate is open.
 */
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "errname.h"

#ifndef CLONE_NEWTIME
#define CLONE_NEWTIME 0x80
#endif
#ifndef CLONE_NEWCGROUP
#define CLONE_NEWCGROUP 0x02000000
#endif
#define MIB  (1024ul * 1024ul)
#define OURS "escape-" /* every file an attack makes begins so; outside.py looks for it */

static void say(const char *head, const char *fmt, va_list ap)
{
    char line[2048];
    int n = snprintf(line, sizeof line, "%s", head);
    n += vsnprintf(line + n, sizeof line - (size_t)n - 1, fmt, ap);
    if (n > (int)sizeof line - 2)
        n = sizeof line - 2;
    line[n++] = '\n';
    (void)!write(1, line, (size_t)n);
}

__attribute__((noreturn, format(printf, 1, 2), unused)) static void escaped(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say("ESCAPED: ", fmt, ap);
    _exit(42);
}

__attribute__((noreturn, format(printf, 1, 2), unused)) static void contained(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say("CONTAINED: ", fmt, ap);
    _exit(0);
}

static char notes[1400];

__attribute__((unused)) static void note(const char *what, const char *answer)
{
    size_t n = strlen(notes);
    snprintf(notes + n, sizeof notes - n, "%s%s=%s", n ? " " : "", what, answer);
}

__attribute__((unused)) static void refused(const char *what, int err)
{
    note(what, errname(err));
}

__attribute__((noreturn, unused)) static void verdict(void)
{
    contained("%s", notes[0] ? notes : "nothing to attack here");
}

static bool is_refusal(int err)
{
    return err == EPERM || err == ENOSYS || err == EACCES;
}

/* gate("reboot", syscall(...)): see above. Reads errno. */
__attribute__((unused)) static void gate(const char *what, long ret)
{
    int err = errno;
    if (ret >= 0)
        escaped("%s worked", what);
    if (!is_refusal(err))
        escaped("%s reached the kernel (%s)", what, errname(err));
    refused(what, err);
}

/* worked("mount", ret): only success is an escape. */
__attribute__((unused)) static void worked(const char *what, long ret)
{
    if (ret >= 0)
        escaped("%s worked", what);
    refused(what, errno);
}

/* Runs fn in a child; fn returns 0 for «it worked» or an errno. A signal (SIGSYS) is a refusal too. */
__attribute__((unused)) static int try_child(const char *what, int (*fn)(void))
{
    pid_t pid = fork();
    if (pid < 0)
        return fn(); /* no room for a child: then here, in person */
    if (pid == 0)
        _exit(fn());
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (WIFSIGNALED(status)) {
        char sig[24];
        snprintf(sig, sizeof sig, "signal %d", WTERMSIG(status));
        note(what, sig);
        return -1;
    }
    return WEXITSTATUS(status);
}

__attribute__((unused)) static void attempt(const char *what, int (*fn)(void))
{
    int err = try_child(what, fn);
    if (err == 0)
        escaped("%s worked", what);
    if (err > 0)
        refused(what, err);
}

/* The same for gate calls. */
__attribute__((unused)) static void attempt_gate(const char *what, int (*fn)(void))
{
    int err = try_child(what, fn);
    if (err == 0)
        escaped("%s worked", what);
    if (err > 0 && !is_refusal(err))
        escaped("%s reached the kernel (%s)", what, errname(err));
    if (err > 0)
        refused(what, err);
}

/* Where the harness put name: /attack, or in a session, which has no volumes, $ATTACK_DIR. */
static const char *delivered(const char *name)
{
    static char path[256];
    const char *dir = getenv("ATTACK_DIR");
    snprintf(path, sizeof path, "%s/%s", dir ? dir : "/attack", name);
    return path;
}

/* key=value lines of params; outside a sandbox (teeth.py) of $ATTACK_PARAMS. */
__attribute__((unused)) static const char *param(const char *key, const char *fallback)
{
    static char text[8192];
    static bool is_read;
    if (!is_read) {
        int fd = open(delivered("params"), O_RDONLY | O_CLOEXEC);
        if (fd < 0 && getenv("ATTACK_PARAMS"))
            fd = open(getenv("ATTACK_PARAMS"), O_RDONLY | O_CLOEXEC);
        ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
        text[n > 0 ? n : 0] = 0;
        if (fd >= 0)
            close(fd);
        for (char *p = text; *p; p++)
            if (*p == '\n')
                *p = 0;
        is_read = true;
    }
    size_t len = strlen(key);
    for (const char *p = text; *p && p < text + sizeof text; p += strlen(p) + 1)
        if (!strncmp(p, key, len) && p[len] == '=')
            return p[len + 1] ? p + len + 1 : fallback;
    return fallback;
}

__attribute__((unused)) static long param_num(const char *key, long fallback)
{
    const char *v = param(key, NULL);
    return v ? atol(v) : fallback;
}

__attribute__((unused)) static bool in_session(void)
{
    return getenv("ATTACK_SESSION") != NULL; /* other jobs of the same agent share its process numbers */
}

/* Where the program had to be brought along it may write its own file: that is no escape. */
__attribute__((unused)) static bool is_own_file(const char *path)
{
    const char *dir = getenv("ATTACK_DIR");
    return dir && (!strncmp(path, dir, strlen(dir)) || !strcmp(path, "/proc/self/exe"));
}

__attribute__((unused)) static pid_t param_pid(const char *key)
{
    return (pid_t)param_num(key, 0);
}

/* Places where a sandbox may let its code write. */
static const char *const scratch_dirs[] = { "/tmp", "/workspace", "/dev/shm", "/var/tmp", "/run", "/home", "." };
#define SCRATCH_COUNT (sizeof scratch_dirs / sizeof scratch_dirs[0])

/* dir/escape-<pid>-name, in a static ring of four */
__attribute__((unused)) static char *scratch_path(const char *dir, const char *name)
{
    static char ring[4][256];
    static int next;
    char *p = ring[next++ & 3];
    snprintf(p, sizeof ring[0], "%s/" OURS "%d-%s", dir, (int)getpid(), name);
    return p;
}

/* The first place that lets us create a file, or NULL. */
__attribute__((unused)) static const char *scratch_dir(void)
{
    for (size_t i = 0; i < SCRATCH_COUNT; i++) {
        char *p = scratch_path(scratch_dirs[i], "probe");
        int fd = open(p, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd >= 0) {
            close(fd);
            unlink(p);
            return scratch_dirs[i];
        }
    }
    return NULL;
}

/* Asks for the right only: creates nothing, truncates nothing, blocks on nothing. */
__attribute__((unused)) static int try_open(const char *path, int flags)
{
    return open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

/* Copies a file (our own program, a library) to dst; false when that is not possible. */
__attribute__((unused)) static bool copy_file(const char *src, const char *dst, mode_t mode)
{
    int in = open(src, O_RDONLY | O_CLOEXEC);
    int out = in < 0 ? -1 : open(dst, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    char buf[16384];
    ssize_t n = -1;
    while (out >= 0 && (n = read(in, buf, sizeof buf)) > 0)
        if (write(out, buf, (size_t)n) != n) {
            n = -1;
            break;
        }
    if (in >= 0)
        close(in);
    if (out >= 0) {
        (void)fchmod(out, mode);
        close(out);
    }
    return n == 0;
}

/* Only the harness puts this there, and names the place. Outside, attacks that could harm take smaller bites. */
__attribute__((unused)) static bool is_inside(void)
{
    return access(delivered("params"), F_OK) == 0;
}

/* Are we alone in a pid namespace? On any host the kernel's threads and services answer signal 0
 * (with EPERM). Only when nothing answers may an attack send real signals to everybody. */
__attribute__((unused)) static int strangers(void)
{
    int n = 0;
    for (pid_t pid = 2; pid < 1000; pid++)
        if (pid != getpid() && pid != getppid() && (kill(pid, 0) == 0 || errno == EPERM))
            n++;
    return n;
}

__attribute__((unused)) static void need_to_be_alone(void)
{
    int n = in_session() ? 0 : strangers();
    if (n > 3)
        escaped("sees %d foreign processes (signal 0 only; the rest of this attack would harm them)", n);
    if (!is_inside())
        contained("runs only inside a sandbox");
}

/* Is the running text the host's canary? */
__attribute__((unused)) static bool is_canary(int fd)
{
    char buf[64] = "";
    return pread(fd, buf, sizeof buf - 1, 0) > 0 && strstr(buf, "host canary");
}

/* The first of two sandboxes: says that it is there, and stays until the caller closes its stdin. */
__attribute__((unused)) static void hold(void)
{
    char c;
    dprintf(2, "holding\n");
    while (read(0, &c, 1) > 0)
        ;
}

__attribute__((unused)) static void sleep_ms(long ms)
{
    struct timespec t = { ms / 1000, ms % 1000 * 1000000 };
    while (nanosleep(&t, &t) < 0 && errno == EINTR)
        ;
}

__attribute__((unused)) static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Memory attacks: how much is more than any promise, and the proof that it was really kept. A
 * supervisor that only measures gets 1.5 s to act before we boast. */
__attribute__((unused)) static size_t memory_target(void)
{
    size_t t = (size_t)param_num("limit_memory", 512l * 1024 * 1024) / 10 * 13;
    return t < 1500 * MIB ? t : 1500 * MIB;
}

__attribute__((noreturn, unused)) static void hold_and_boast(const char *what, size_t bytes)
{
    sleep_ms(1500);
    escaped("held %zu MiB of %s", bytes / MIB, what);
}

/* 32-bit system call: numbers and structures of i386 */
__attribute__((unused)) static long int80(long nr, long a, long b, long c, long d, long e)
{
    long r;
    __asm__ volatile("int $0x80"
                     : "=a"(r)
                     : "a"(nr), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
                     : "r8", "r9", "r10", "r11", "memory");
    r = (int)r;
    if (r < 0 && r > -4096) {
        errno = (int)-r;
        return -1;
    }
    return r;
}

/* A system call with every bit of rax ours. */
__attribute__((unused)) static long call(unsigned long nr, long a, long b, long c, long d, long e, long f)
{
    long ret;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(ret)
                     : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    if (ret < 0 && ret > -4096) {
        errno = (int)-ret;
        return -1;
    }
    return ret;
}

/* memory that a 32-bit pointer reaches */
__attribute__((unused)) static void *low_page(void)
{
    void *p = mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}
