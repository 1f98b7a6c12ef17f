/* What is done by looking into /proc where there is no cgroup: launch/measure.c. */
#include "test.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "launch/cgroup.h"
#include "launch/run.h"

static int said[2];

static void *work(void *unused)
{
    (void)unused;
    const pid_t self[] = { getpid(), gettid() };
    (void)!write(said[1], self, sizeof self);
    for (;;)
        (void)!getppid();
    return NULL;
}

/* A process whose first thread has ended while another one works, below an init. */
static _Noreturn void begin_inside(void)
{
    pthread_t thread;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (fork() == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (pthread_create(&thread, NULL, work, NULL) == 0)
            (void)syscall(SYS_exit, 0);
        _exit(1);
    }
    for (;;)
        (void)pause();
}

static char state_of(pid_t pid, pid_t thread)
{
    char path[64], line[512];
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)pid, (int)thread);
    FILE *f = fopen(path, "re");
    const char *end = f && fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL;
    if (f)
        (void)fclose(f);
    return end ? end[2] : '?';
}

TEST(a_process_whose_first_thread_has_ended_is_stopped_as_any)
{
    struct run *r = calloc(1, sizeof *r);
    pid_t ids[2], worker;
    CHECK(r && pipe(said) == 0);
    r->pid = fork();
    if (r->pid == 0)
        begin_inside();
    CHECK(r->pid > 0 && read(said[0], ids, sizeof ids) == sizeof ids);
    worker = ids[0];
    while (state_of(worker, worker) != 'Z')
        (void)usleep(1000);
    CHECK(!measure_stop(r));
    while (!measure_stop(r))
        (void)usleep(1000);
    CHECK_EQ(state_of(worker, ids[1]), 'T');
    CHECK(kill(worker, SIGKILL) == 0 && kill(r->pid, SIGKILL) == 0 && waitpid(r->pid, NULL, 0) == r->pid);
    free(r);
    (void)close(said[0]);
    (void)close(said[1]);
}

/* The kernel's list in a file of our own: the text of which is read ends in the middle of a number. */
TEST(a_number_that_is_cut_off_is_no_member)
{
    char dir[] = "/tmp/members-XXXXXX", path[64];
    pid_t members[1024];
    CHECK(mkdtemp(dir));
    (void)snprintf(path, sizeof path, "%s/cgroup.procs", dir);
    FILE *f = fopen(path, "w");
    CHECK(f);
    for (int i = 0; i < 1000; i++)
        (void)fprintf(f, "%d\n", 10000 + i);
    CHECK_EQ(fclose(f), 0);
    const int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const size_t count = cgroup_members(fd, members, ARRAY_LEN(members));
    CHECK_EQ(count, 4095 / 6);
    for (size_t i = 0; i < count; i++)
        CHECK_EQ(members[i], 10000 + (pid_t)i);
    CHECK_EQ(cgroup_members(fd, members, 3), 3);
    (void)close(fd);
    (void)unlink(path);
    (void)rmdir(dir);
}
