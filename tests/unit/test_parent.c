/* sandboxd started by root: who is what afterwards, and what the service can still get done. */
#include "launcher_world.h"

#include <ftw.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include "daemon/belongings.h"
#include "daemon/capabilities.h"
#include "daemon/launcher.h"
#include "daemon/parent.h"

#define SERVICE 61999u

struct nest {
    char top[64], state[80], log[80];
    struct parent_options options;
};

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)st, (void)type, (void)f;
    return remove(path);
}

static void nest_done(struct nest *n)
{
    (void)nftw(n->top, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void nest_init(struct nest *n)
{
    if (geteuid() != 0)
        SKIP("only root can become somebody else");
    *n = (struct nest){ .top = "/tmp/test-parent-XXXXXX" };
    CHECK(mkdtemp(n->top));
    CHECK_EQ(chmod(n->top, 0755), 0);
    (void)snprintf(n->state, sizeof n->state, "%s/lib/state", n->top);
    (void)snprintf(n->log, sizeof n->log, "%s/log", n->top);
    n->options = (struct parent_options){ .user = "61999",
                                          .launcher = launcher_path(),
                                          .dirs = { { n->state, 0700 }, { n->log, 0750 } } };
}

static void put(const struct nest *n, const char *name)
{
    char path[256];
    (void)snprintf(path, sizeof path, "%s/%s", n->log, name);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    CHECK(fd >= 0);
    (void)close(fd);
}

static uint32_t owner_of(const struct nest *n, const char *name)
{
    char path[256];
    struct stat st;
    (void)snprintf(path, sizeof path, "%s/%s", n->log, name);
    CHECK_EQ(lstat(path, &st), 0);
    return st.st_uid;
}

/* Runs `service` in the child of a parent; -> how the parent ended. */
static int split(const struct nest *n, int (*service)(int parent_fd), int (*meanwhile)(pid_t parent))
{
    int status = -1;
    pid_t pid = fork();
    if (pid == 0) {
        struct error err = { 0 };
        int fd = -1, e = parent_split(&n->options, &fd, &err);
        if (e < 0)
            (void)fprintf(stderr, "# %s\n", err.text);
        _exit(e < 0 ? 100 : service(fd));
    }
    CHECK(!meanwhile || meanwhile(pid) == 0);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* --- what the service is -------------------------------------------------------------------------------- */

static bool status_says(const char *line)
{
    char text[4096];
    cleanup(closep) int fd = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    ssize_t n = read(fd, text, sizeof text - 1);
    text[MAX_OF(n, (ssize_t)0)] = '\0';
    return strstr(text, line);
}

static int is_powerless(int parent_fd)
{
    (void)parent_fd;
    if (getuid() != SERVICE || geteuid() != SERVICE || getgid() != SERVICE || getgroups(0, NULL) != 0)
        return 1;
    if (!status_says("CapInh:\t0000000000000000\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\nCapBnd:"
                     "\t0000000000000000\nCapAmb:\t0000000000000000\n"))
        return 2;
    if (!status_says("NoNewPrivs:\t1\n") || prctl(PR_GET_DUMPABLE) != 0)
        return 3;
    if (setuid(0) == 0 || open("/etc/shadow", O_RDONLY | O_CLOEXEC) >= 0 || kill(getppid(), 0) == 0)
        return 4;
    return str_eq(getenv("HOME"), "/") ? 42 : 5;
}

TEST(the_service_of_a_root_parent_has_no_power_left_and_its_status_is_the_parent_s)
{
    struct nest n;
    struct stat st;
    nest_init(&n);
    CHECK_EQ(split(&n, is_powerless, NULL), 42);
    CHECK(stat(n.state, &st) == 0 && st.st_uid == SERVICE && (st.st_mode & 07777) == 0700);
    CHECK(stat(n.log, &st) == 0 && st.st_uid == SERVICE && (st.st_mode & 07777) == 0750);
    nest_done(&n);
}

static int refuse_users(int parent_fd)
{
    (void)parent_fd;
    return 0;
}

TEST(the_service_is_never_root_and_nobody_who_does_not_exist)
{
    static const char *const bad[] = { "root", "0", "61999:0", "no-such-user-here", "61999:x", "" };
    struct nest n;
    nest_init(&n);
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        n.options.user = bad[i];
        CHECK_EQ(split(&n, refuse_users, NULL), 100);
    }
    CHECK(access(n.log, F_OK) < 0); /* nothing was made for them */
    nest_done(&n);
}

/* --- launchers by way of the parent ------------------------------------------------------------------------ */

/* What the launcher will see of its client (launch/rights.c); both ends of a pair are noted alike. */
static bool is_pair_of_the_service(int parent_fd)
{
    struct error err = { 0 };
    struct ucred who = { 0 };
    gid_t groups[8];
    socklen_t size = sizeof who, groups_size = sizeof groups;
    int pid;
    cleanup(closep) int sock = -1;
    return parent_launcher(parent_fd, &sock, &pid, &err) == 0 &&
           getsockopt(sock, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid == SERVICE && who.gid == SERVICE &&
           getsockopt(sock, SOL_SOCKET, SO_PEERGROUPS, groups, &groups_size) == 0 && groups_size == 0;
}

static int run_through_parent(int parent_fd)
{
    if (!is_pair_of_the_service(parent_fd))
        return 6;
    const struct launcher_options o = { .parent_fd = parent_fd, .idle_connections = 2 };
    struct launcher *l = NULL;
    struct error err = { 0 };
    if (launcher_open(&o, &l, &err) < 0)
        return 1;
    for (int i = 0; i < 2; i++) {
        struct server s = { .next_tag = 1,
                            .null = open("/dev/null", O_RDWR | O_CLOEXEC),
                            .code = memfd_create("code", MFD_CLOEXEC) };
        struct sample p;
        const char *text = "";
        if (launcher_connection(l, &s.client, &err) < 0)
            return 2;
        sample_init(&p, "/bin/true", NULL, NULL);
        int reason = run_sample(&s, &p, &text);
        sample_done(&p);
        if (reason != REASON_COMPLETED) {
            (void)fprintf(stderr, "# %s\n", text);
            return 3;
        }
        launcher_return(l, &s.client, true);
        if (kill(launcher_pid(l), SIGKILL) == 0) /* root's */
            return 4;
    }
    return launcher_close(l) ? 5 : 43;
}

TEST(the_service_gets_launchers_of_root_s_and_cannot_touch_them)
{
    struct nest n;
    struct server probe;
    nest_init(&n);
    server_ready(&probe);
    server_stop(&probe);
    CHECK_EQ(split(&n, run_through_parent, NULL), 43);
    nest_done(&n);
}

static int ask_too_often(int parent_fd)
{
    int sock, pid, granted = 0;
    struct error err = { 0 };
    for (int i = 0; i < 64; i++) {
        int e = parent_launcher(parent_fd, &sock, &pid, &err);
        granted += e == 0;
        if (e < 0 && e != -EAGAIN)
            return 1;
    }
    return granted > 0 && granted <= 4 ? 44 : 2;
}

TEST(an_owned_service_gets_few_launchers_at_once)
{
    struct nest n;
    nest_init(&n);
    CHECK_EQ(split(&n, ask_too_often, NULL), 44);
    nest_done(&n);
}

/* --- signals ---------------------------------------------------------------------------------------------- */

static int wait_for_term(int parent_fd)
{
    sigset_t wanted;
    int got = 0;
    (void)sigemptyset(&wanted);
    (void)sigaddset(&wanted, SIGTERM);
    (void)sigaddset(&wanted, SIGHUP);
    (void)sigprocmask(SIG_BLOCK, &wanted, NULL);
    (void)parent_fd;
    (void)!write(STDOUT_FILENO, "+", 1); /* ready */
    for (int sig = 0; got < 2 && sigwait(&wanted, &sig) == 0;)
        if (sig == (got ? SIGTERM : SIGHUP))
            got++;
    return 45;
}

static int ready[2];
static int term_when_ready(pid_t parent)
{
    char c;
    (void)close(ready[1]);
    if (read(ready[0], &c, 1) != 1)
        return 1;
    (void)kill(parent, SIGHUP);
    return kill(parent, SIGTERM); /* both at once come in the order of their numbers, too */
}
static int die_of_kill(int parent_fd)
{
    (void)parent_fd;
    return raise(SIGKILL);
}

TEST(the_parent_hands_signals_down_and_tells_of_a_service_that_was_killed)
{
    struct nest n;
    nest_init(&n);
    CHECK_EQ(split(&n, die_of_kill, NULL), 128 + SIGKILL);
    CHECK_EQ(pipe2(ready, O_CLOEXEC), 0);
    int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10);
    (void)fflush(stdout);
    (void)dup2(ready[1], STDOUT_FILENO);
    int e = split(&n, wait_for_term, term_when_ready);
    (void)dup2(out, STDOUT_FILENO);
    (void)close(out);
    (void)close(ready[0]);
    CHECK_EQ(e, 45);
    nest_done(&n);
}

/* --- belongings ------------------------------------------------------------------------------------------- */

TEST(root_s_own_records_are_given_to_the_service_and_its_directory_last)
{
    struct nest n;
    struct error err;
    unsigned taken = 0;
    char path[256], other[256];
    nest_init(&n);
    CHECK_EQ(mkdir(n.log, 0700), 0);
    put(&n, "audit.jsonl");
    put(&n, "audit-000000000001.jsonl");
    put(&n, "high-risk_me_20260101_000000.log");
    (void)snprintf(path, sizeof path, "%s/artifacts", n.log);
    CHECK_EQ(mkdir(path, 0700), 0);
    put(&n, "artifacts/anything");
    (void)snprintf(path, sizeof path, "%s/artifacts/anything", n.log);
    (void)snprintf(other, sizeof other, "%s/artifacts/again", n.log);
    CHECK_EQ(link(path, other), 0);
    CHECK_EQ(belongings_give(n.log, 0700, SERVICE, SERVICE, &taken, &err), 0);
    CHECK(taken >= 4);
    CHECK(owner_of(&n, "") == SERVICE && owner_of(&n, "audit.jsonl") == SERVICE &&
          owner_of(&n, "artifacts") == SERVICE && owner_of(&n, "artifacts/again") == SERVICE);
    CHECK_EQ(belongings_give(n.log, 0700, SERVICE, SERVICE, &taken, &err), 0); /* his already */
    CHECK_EQ(taken, 0);
    nest_done(&n);
}

TEST(a_directory_with_anything_else_in_it_stays_root_s)
{
    static const char *const foreign[] = { "syslog", "audit.jsonl.bak", "db" };
    struct nest n;
    struct error err;
    char path[256];
    nest_init(&n);
    CHECK_EQ(mkdir(n.log, 0755), 0);
    put(&n, "audit.jsonl");
    for (size_t i = 0; i < ARRAY_LEN(foreign); i++) {
        put(&n, foreign[i]);
        CHECK_EQ(belongings_give(n.log, 0700, SERVICE, SERVICE, NULL, &err), -EPERM);
        CHECK(strstr(err.text, foreign[i]) && err.remedy[0]);
        CHECK(owner_of(&n, "") == 0 && owner_of(&n, "audit.jsonl") == 0);
        (void)snprintf(path, sizeof path, "%s/%s", n.log, foreign[i]);
        CHECK_EQ(unlink(path), 0);
    }
    (void)snprintf(path, sizeof path, "%s/alerts.log", n.log);
    CHECK_EQ(symlink("/etc/shadow", path), 0); /* a name of ours, and no file */
    CHECK_EQ(belongings_give(n.log, 0700, SERVICE, SERVICE, NULL, &err), -EPERM);
    CHECK_EQ(unlink(path), 0);
    CHECK_EQ(chmod(n.log, 01777), 0); /* others could have linked things in */
    CHECK_EQ(belongings_give(n.log, 0700, SERVICE, SERVICE, NULL, &err), -EPERM);
    CHECK_EQ(chmod(n.log, 0755), 0);
    CHECK_EQ(chown(n.log, 12345, 12345), 0);
    CHECK_EQ(belongings_give(n.log, 0700, SERVICE, SERVICE, NULL, &err), -EPERM);
    CHECK_EQ(owner_of(&n, "audit.jsonl"), 0);
    nest_done(&n);
}

/* The service's user owns the state directory, below which the log directory is: what he puts there root follows
 * nowhere. */
TEST(a_link_that_the_service_planted_gives_nothing_of_root_s_away)
{
    struct nest n;
    struct error err;
    struct stat st;
    char victim[96], path[200], made[200];
    nest_init(&n);
    (void)snprintf(victim, sizeof victim, "%s/victim", n.top);
    CHECK_EQ(mkdir(victim, 0755), 0);
    CHECK_EQ(belongings_give(n.state, 0700, SERVICE, SERVICE, NULL, &err), 0);
    (void)snprintf(path, sizeof path, "%s/log", n.state);
    CHECK_EQ(symlink(victim, path), 0);
    CHECK_EQ(belongings_give(path, 0750, SERVICE, SERVICE, NULL, &err), -EPERM);
    CHECK(strstr(err.text, "symbolic link") && err.remedy[0]);
    CHECK(stat(victim, &st) == 0 && st.st_uid == 0);
    (void)snprintf(path, sizeof path, "%s/log/deeper", n.state); /* nor is anything made behind it */
    (void)snprintf(made, sizeof made, "%s/deeper", victim);
    CHECK_EQ(belongings_give(path, 0750, SERVICE, SERVICE, NULL, &err), -EPERM);
    CHECK(access(made, F_OK) < 0);
    nest_done(&n);
}

TEST(a_link_that_root_made_is_followed)
{
    struct nest n;
    struct error err;
    struct stat st;
    char real[96], path[200];
    nest_init(&n);
    (void)snprintf(real, sizeof real, "%s/real", n.top);
    CHECK_EQ(mkdir(real, 0755), 0);
    (void)snprintf(path, sizeof path, "%s/link", n.top);
    CHECK_EQ(symlink("./real/../real", path), 0);
    (void)snprintf(path, sizeof path, "%s/link/log", n.top);
    CHECK_EQ(belongings_give(path, 0750, SERVICE, SERVICE, NULL, &err), 0);
    (void)snprintf(path, sizeof path, "%s/log", real);
    CHECK(stat(path, &st) == 0 && st.st_uid == SERVICE && (st.st_mode & 07777) == 0750);
    (void)snprintf(path, sizeof path, "%s/round", n.top);
    CHECK_EQ(symlink("round", path), 0);
    CHECK_EQ(belongings_give(path, 0750, SERVICE, SERVICE, NULL, &err), -ELOOP);
    nest_done(&n);
}

TEST(a_record_of_root_s_with_a_second_name_elsewhere_stays_root_s)
{
    struct nest n;
    struct error err;
    char secret[96], path[200];
    nest_init(&n);
    CHECK_EQ(mkdir(n.log, 0700), 0);
    put(&n, "secret");
    (void)snprintf(path, sizeof path, "%s/secret", n.log);
    (void)snprintf(secret, sizeof secret, "%s/secret", n.top);
    CHECK_EQ(rename(path, secret), 0);
    (void)snprintf(path, sizeof path, "%s/audit.jsonl", n.log);
    CHECK_EQ(link(secret, path), 0);
    CHECK_EQ(belongings_give(n.log, 0700, SERVICE, SERVICE, NULL, &err), -EPERM);
    CHECK(strstr(err.text, "hard link"));
    CHECK_EQ(owner_of(&n, "audit.jsonl"), 0);
    nest_done(&n);
}

/* Changes the directory for a link and back, as fast as it can. */
static void swap_for_ever(const char *path, const char *away, const char *link)
{
    if (setgid(SERVICE) < 0 || setuid(SERVICE) < 0)
        _exit(1);
    for (;;) {
        (void)rename(path, away);
        (void)rename(link, path);
        (void)rename(path, link);
        (void)rename(away, path);
    }
}

TEST(a_link_that_comes_between_two_looks_gives_nothing_of_root_s_away)
{
    struct nest n;
    struct error err;
    struct stat st;
    char victim[96], path[200], away[200], link_path[200];
    unsigned refused = 0;
    nest_init(&n);
    (void)snprintf(victim, sizeof victim, "%s/victim", n.top);
    CHECK_EQ(mkdir(victim, 0755), 0);
    CHECK_EQ(belongings_give(n.state, 0700, SERVICE, SERVICE, NULL, &err), 0);
    (void)snprintf(path, sizeof path, "%s/log", n.state);
    (void)snprintf(away, sizeof away, "%s/away", n.state);
    (void)snprintf(link_path, sizeof link_path, "%s/link", n.state);
    CHECK_EQ(symlink(victim, link_path), 0);
    pid_t pid = fork();
    if (pid == 0)
        swap_for_ever(path, away, link_path);
    for (int i = 0; i < 20000; i++)
        refused += belongings_give(path, 0750, SERVICE, SERVICE, NULL, &err) < 0;
    (void)kill(pid, SIGKILL);
    CHECK_EQ(waitpid(pid, NULL, 0), pid);
    CHECK(stat(victim, &st) == 0 && st.st_uid == 0);
    (void)fprintf(stderr, "# %u of 20000 met the link\n", refused);
    nest_done(&n);
}

/* --- the unit file ------------------------------------------------------------------------------------------ */

TEST(the_launcher_s_unit_grants_what_the_parent_s_launchers_have)
{
    static const struct {
        const char *name;
        unsigned number;
    } known[] = { { "CAP_SYS_ADMIN", CAP_SYS_ADMIN },
                  { "CAP_SETUID", CAP_SETUID },
                  { "CAP_SETGID", CAP_SETGID },
                  { "CAP_KILL", CAP_KILL },
                  { "CAP_DAC_OVERRIDE", CAP_DAC_OVERRIDE } };
    char text[8192], *line, *save = NULL;
    uint64_t granted = 0;
    cleanup(closep) int fd = open("deploy/systemd/sandbox-launcher@.service", O_RDONLY | O_CLOEXEC);
    ssize_t n = read(fd, text, sizeof text - 1);
    CHECK(n > 0);
    text[n] = '\0';
    CHECK((line = strstr(text, "\nCapabilityBoundingSet=")));
    line += strlen("\nCapabilityBoundingSet=");
    line[strcspn(line, "\n")] = '\0';
    for (char *word = strtok_r(line, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        size_t i = 0;
        while (i < ARRAY_LEN(known) && !str_eq(known[i].name, word))
            i++;
        CHECK(i < ARRAY_LEN(known));
        granted |= CAPABILITY(known[i].number);
    }
    CHECK(granted == CAPABILITIES_LAUNCHER);
}
