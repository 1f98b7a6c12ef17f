/* sweep.c - asks the filter that is in force about system calls, and makes them.
 *
 *     sweep CASES     a line a case: MODE LABEL NR ARG*6, numbers in C's notation; @buf is 4 KiB of zeros, @path a
 *                     name in a directory that does not exist
 *
 * prints «MODE LABEL NR RESULT» a line: an errno's name, «ok», «exit», «killed SIGNAL», or «timeout».
 *
 * The two modes tell the filter's answers from the kernel's:
 *
 * ask   what does the filter say to this call with these arguments? Nothing is executed, so kill(-1, SIGKILL) and
 *       reboot may be asked about like getpid. We lay a filter of our own over the one in force, which answers
 *       SECCOMP_RET_TRACE to calls from one instruction, probe(). Of several filters' answers the kernel takes the
 *       strictest: an errno is stricter than TRACE, ALLOW is not, and TRACE without a tracer is ENOSYS. So ENOSYS
 *       means «permitted, or refused with ENOSYS», any other errno comes from the filter in force and nowhere else.
 *       SECCOMP_RET_USER_NOTIF is stricter than TRACE: a call that a supervisor lets continue is made.
 * call  makes the call, in a child, one after another. Only this tells a refusal with ENOSYS from a permission,
 *       where the kernel has the call. What the arguments are is the business of whoever wrote the cases.
 * i386  makes it through int 0x80, with that entry's numbers.
 *
 * x86_64 only. Static, so that it runs in a root that holds nothing else.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../escape/attacks/errname.h"

#define MAX_CASES 8192
#define PATIENCE  10 /* seconds for one call, and for all questions of one child */

enum mode { ASK, CALL, I386, MODES };
static const char *const mode_names[MODES] = { "ask", "call", "i386" };

struct a_case {
    enum mode mode;
    char label[40];
    long nr, args[6];
};

/* What a child tells its parent, even when it dies of the telling. */
struct report {
    volatile int current; /* the question a child is at */
    struct {
        volatile int is_answered;
        volatile long answer;
    } cases[MAX_CASES];
};

static struct a_case cases[MAX_CASES];
static int case_count;
static struct report *report;
static char scratch[4096];
static const char nowhere[] = "/tmp/no-such-directory/sweep";

/* The child of a fork, and the thread of a clone, leaves on the spot: it may share our stack. */
long probe(long nr, const long args[6], long forks);
extern const char probe_ip[]; /* what the kernel calls instruction_pointer: behind the instruction */
__asm__(".text\n.globl probe, probe_ip\n.type probe, @function\n"
        "probe: push %rbx\n"
        "mov %rdi, %rax\n mov %rdx, %rbx\n"
        "mov 0(%rsi), %rdi\n mov 16(%rsi), %rdx\n mov 24(%rsi), %r10\n mov 32(%rsi), %r8\n mov 40(%rsi), %r9\n"
        "mov 8(%rsi), %rsi\n"
        "syscall\n"
        "probe_ip: test %rbx, %rbx\n jz 1f\n"
        "test %rax, %rax\n jnz 1f\n"
        "mov $60, %eax\n xor %edi, %edi\n syscall\n" /* exit */
        "1: pop %rbx\n ret\n");

static long probe_i386(long nr, const long args[6])
{
    long ret = nr;
    __asm__ volatile("int $0x80"
                     : "+a"(ret)
                     : "b"(args[0]), "c"(args[1]), "d"(args[2]), "S"(args[3]), "D"(args[4])
                     : "memory", "r8", "r9", "r10", "r11");
    return (int)ret;
}

static long is_fork(long nr)
{
    return nr == SYS_fork || nr == SYS_vfork || nr == SYS_clone;
}

static long make(const struct a_case *c)
{
    long ret = probe(c->nr, c->args, is_fork(c->nr));
    if (is_fork(c->nr) && ret > 0)
        (void)waitpid((pid_t)ret, NULL, __WALL);
    return ret;
}

static volatile sig_atomic_t signals;
static void on_signal(int sig)
{
    (void)sig;
    signals++;
}

static void handle(int sig)
{
    struct sigaction sa = { .sa_handler = on_signal }; /* no SA_RESTART */
    (void)sigaction(sig, &sa, NULL);
}

/* The two calls that mean something only with a signal. */
static long call_with_signal(const struct a_case *c)
{
    if (c->nr == SYS_rt_sigreturn) { /* how every handler ends */
        handle(SIGUSR1);
        (void)raise(SIGUSR1);
        return signals ? 0 : -EIO;
    }
    handle(SIGUSR1); /* SYS_pause */
    handle(SIGALRM);
    struct itimerval soon = { .it_value.tv_usec = 10000, .it_interval.tv_usec = 10000 };
    (void)setitimer(ITIMER_REAL, &soon, NULL);
    return make(c);
}

static void answer(int i, long ret)
{
    report->cases[i].answer = ret;
    report->cases[i].is_answered = 1;
}

static void call_one(int i)
{
    const struct a_case *c = &cases[i];
    report->current = i;
    if (c->mode == I386)
        answer(i, probe_i386(c->nr, c->args));
    else if (c->nr == SYS_rt_sigreturn || c->nr == SYS_pause)
        answer(i, call_with_signal(c));
    else
        answer(i, make(c));
}

/* Our own filter: TRACE for calls from probe(), ALLOW for those from anywhere else. */
static void lay_trace(void)
{
    uint64_t ip = (uint64_t)(uintptr_t)probe_ip;
    struct sock_filter insns[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)ip, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, instruction_pointer) + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(ip >> 32), 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog prog = { .len = sizeof insns / sizeof insns[0], .filter = insns };
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog)) {
        perror("sweep: cannot lay a filter over the one in force");
        _exit(3);
    }
    static const long none[6];
    if (probe(SYS_getpid, none, 0) != -ENOSYS) {
        (void)fprintf(stderr, "sweep: our own filter does not answer\n");
        _exit(3);
    }
}

static void ask_from(int i)
{
    lay_trace();
    for (; i < case_count; i++) {
        if (cases[i].mode != ASK)
            continue;
        report->current = i;
        answer(i, make(&cases[i]));
    }
}

/* ---- results in words ---- */

static const char *signal_name(int sig)
{
    static char other[24];
#define S(x) \
    case x:  \
        return #x;
    switch (sig) {
        S(SIGHUP)
        S(SIGILL)
        S(SIGTRAP) S(SIGABRT) S(SIGBUS) S(SIGFPE) S(SIGKILL) S(SIGSEGV) S(SIGPIPE) S(SIGTERM) S(SIGSYS) S(SIGXCPU)
    }
#undef S
    (void)snprintf(other, sizeof other, "signal %d", sig);
    return other;
}

static void print(int i, int status)
{
    const struct a_case *c = &cases[i];
    printf("%s %s %ld ", mode_names[c->mode], c->label, c->nr);
    long ret = report->cases[i].answer;
    if (report->cases[i].is_answered)
        puts(ret < 0 && ret > -4096 ? errname((int)-ret) : "ok");
    else if (WIFEXITED(status))
        puts("exit");
    else if (WTERMSIG(status) == SIGALRM)
        puts("timeout");
    else
        printf("killed %s\n", signal_name(WTERMSIG(status)));
}

/* Runs fn(i) in a child. -> how it ended */
static int in_child(void (*fn)(int), int i)
{
    (void)fflush(stdout);
    report->current = i;
    pid_t pid = fork();
    if (pid < 0) {
        perror("sweep: fork");
        exit(3);
    }
    if (pid == 0) {
        (void)alarm(PATIENCE);
        fn(i);
        _exit(0);
    }
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

static int find_ask(int i)
{
    while (i < case_count && cases[i].mode != ASK)
        i++;
    return i;
}

/* One child for all questions; another when one of them is fatal. */
static void ask_all(void)
{
    for (int i = find_ask(0); i < case_count;) {
        int status = in_child(ask_from, i);
        int last = report->current;
        if (WIFEXITED(status) && WEXITSTATUS(status) == 3)
            exit(3);
        for (; i <= last; i = find_ask(i + 1))
            print(i, status);
    }
}

static void call_all(void)
{
    for (int i = 0; i < case_count; i++)
        if (cases[i].mode != ASK)
            print(i, in_child(call_one, i));
}

/* ---- cases ---- */

static long number(const char *word)
{
    if (strcmp(word, "@buf") == 0)
        return (long)(uintptr_t)scratch;
    if (strcmp(word, "@path") == 0)
        return (long)(uintptr_t)nowhere;
    char *end;
    errno = 0;
    long n = (long)(*word == '-' ? (unsigned long)strtol(word, &end, 0) : strtoul(word, &end, 0));
    if (errno || end == word || *end) {
        (void)fprintf(stderr, "sweep: «%s» is no number\n", word);
        exit(2);
    }
    return n;
}

static void read_cases(const char *path)
{
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        exit(2);
    }
    char line[512];
    while (fgets(line, sizeof line, f)) {
        char mode[8], label[40], nr[24], a[6][24];
        int words = sscanf(line, "%7s %39s %23s %23s %23s %23s %23s %23s %23s", mode, label, nr, a[0], a[1], a[2], a[3],
                           a[4], a[5]);
        if (words != 9 || case_count == MAX_CASES) {
            (void)fprintf(stderr, "sweep: too many cases, or a bad one: %s", line);
            exit(2);
        }
        struct a_case *c = &cases[case_count++];
        while (c->mode < MODES && strcmp(mode, mode_names[c->mode]) != 0)
            c->mode++;
        if (c->mode == MODES) {
            (void)fprintf(stderr, "sweep: «%s» is no mode\n", mode);
            exit(2);
        }
        (void)strcpy(c->label, label);
        c->nr = number(nr);
        for (int i = 0; i < 6; i++)
            c->args[i] = number(a[i]);
    }
    (void)fclose(f);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fprintf(stderr, "usage: sweep CASES\n");
        return 2;
    }
    read_cases(argv[1]);
    report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (report == MAP_FAILED) {
        perror("sweep: mmap");
        return 3;
    }
    ask_all();
    call_all();
    return fflush(stdout) ? 3 : 0;
}
