#include "test.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include "run/locations.h"

/* As somebody who is not root, to whom the first directory (root's, with or without an audit in it) is shut. */
static bool finds_his_own(const char *shut, const char *own)
{
    const struct locations l = { .log_dirs = { shut, own, NULL } };
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        if (geteuid() == 0 && (setgid(65534) < 0 || setuid(65534) < 0))
            _exit(2);
        _exit(str_eq(locations_audit_dir(&l), own) ? 0 : 1);
    }
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) != 2);
    return WEXITSTATUS(status) == 0;
}

TEST(who_has_not_run_anything_yet_is_not_sent_to_the_directory_of_root)
{
    char top[] = "/tmp/places-XXXXXX", shut[64], own[64], audit[96];
    CHECK(mkdtemp(top) && chmod(top, 0755) == 0);
    (void)snprintf(shut, sizeof shut, "%s/shut", top);
    (void)snprintf(own, sizeof own, "%s/home/log", top); /* neither is there */
    CHECK(mkdir(shut, 0500) == 0);
    bool is_his = finds_his_own(shut, own);
    (void)chmod(shut, 0700);
    (void)snprintf(audit, sizeof audit, "%s/audit.jsonl", shut);
    int fd = open(audit, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    (void)close(fd);
    (void)chmod(shut, 0);
    bool is_his_beside_an_audit = finds_his_own(shut, own);
    (void)chmod(shut, 0700);
    (void)unlink(audit);
    (void)rmdir(shut);
    (void)rmdir(top);
    CHECK(fd >= 0 && is_his && is_his_beside_an_audit);
}
