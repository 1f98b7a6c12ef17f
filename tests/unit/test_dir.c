/* Root's command line in directories that belong to the service's user. */
#include "audit_place.h"

#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include "audit/artifacts.h"
#include "audit/dir.h"
#include "base/io.h"

#define SERVICE 61999u

static bool found_foreign;
static int look_at_owner(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)type;
    if (f->level && st->st_uid != SERVICE) {
        (void)fprintf(stderr, "# %s belongs to %u\n", path, (unsigned)st->st_uid);
        found_foreign = true;
    }
    return 0;
}

static bool is_all_of_the_service(const char *top)
{
    found_foreign = false;
    return nftw(top, look_at_owner, 8, FTW_PHYS) == 0 && !found_foreign;
}

static void service_place(struct place *p)
{
    if (geteuid() != 0)
        SKIP("only root works in other users' directories");
    place_init(p);
    p->config.security.audit_sync = AUDIT_SYNC_ALWAYS;
    CHECK_EQ(chmod(p->top, 0755), 0);
    CHECK_EQ(mkdir(p->log, 0700), 0);
    CHECK_EQ(mkdir(p->state, 0700), 0);
    CHECK_EQ(chown(p->log, SERVICE, SERVICE), 0);
    CHECK_EQ(chown(p->state, SERVICE, SERVICE), 0);
}

/* 0 when the service's user can go on: 25 lines, two signatures. */
static int write_as_service(struct place *p)
{
    int status = -1;
    pid_t pid = fork();
    if (pid == 0) {
        if (setgid(SERVICE) < 0 || setuid(SERVICE) < 0)
            _exit(3);
        place_write(p, 25);
        _exit(0);
    }
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    return status;
}

TEST(root_and_the_service_write_one_audit_in_turn_and_all_of_it_is_the_service_s)
{
    struct place p;
    service_place(&p);
    place_write(&p, 25); /* root begins: key, head, lock and file are new */
    CHECK(is_all_of_the_service(p.top));
    CHECK_EQ(write_as_service(&p), 0);
    place_write(&p, 25);
    CHECK_EQ(place_verify(&p).problems, 0);
    p.config.security.audit_max_size = 4 * AUDIT_LINE_MAX;
    place_write(&p, 300); /* rotates, indexes */
    CHECK(access(place_path(&p, "audit-000000000001.jsonl"), F_OK) == 0);
    CHECK_EQ(write_as_service(&p), 0);
    CHECK_EQ(place_verify(&p).problems, 0);
    CHECK(is_all_of_the_service(p.top));
    CHECK_EQ(setfsuid((uid_t)-1), 0);
    CHECK_EQ(setfsgid((gid_t)-1), 0);
    place_done(&p);
}

TEST(root_keeps_artifacts_as_the_owner_of_their_directory)
{
    struct place p;
    struct artifacts kept;
    struct error err;
    service_place(&p);
    const char *path = place_path(&p, "artifacts");
    for (unsigned i = 0; i < 2; i++) { /* the second finds the object that the first made */
        const char *id = i ? "exec_0123456789abcdef0124" : "exec_0123456789abcdef0123";
        CHECK_EQ(artifacts_open(&kept, path, MIB, id, &p.arena, &err), 0);
        CHECK_EQ(artifacts_add(&kept, "code", "python", "print(1)", 8, &err), 0);
        CHECK_EQ(artifacts_close(&kept, &err), 0);
    }
    CHECK(is_all_of_the_service(p.log));
    place_done(&p);
}

TEST(root_is_not_led_by_a_hard_link_to_a_file_that_the_directory_s_owner_could_not_write)
{
    static const char secret[] = "only root may read this\n";
    struct place p;
    struct audit a;
    struct stat st;
    service_place(&p);
    const char *target = arena_printf(&p.arena, "%s/secret", p.top);
    static const char *const names[] = { "audit.jsonl", "audit.lock" };
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        cleanup(closep) int fd = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        CHECK_EQ(write_all(fd, secret, sizeof secret - 1), 0);
        (void)unlink(place_path(&p, names[i])); /* the lock that the round before made */
        CHECK_EQ(link(target, place_path(&p, names[i])), 0);
        CHECK_EQ(unlink(target), 0); /* one name again: counting names would not show it */
        CHECK_EQ(place_open(&p, &a), -EACCES);
        CHECK_EQ(stat(place_path(&p, names[i]), &st), 0);
        CHECK(st.st_uid == 0 && st.st_size == (off_t)sizeof secret - 1);
        CHECK_EQ(unlink(place_path(&p, names[i])), 0);
    }
    CHECK_EQ(place_open(&p, &a), 0); /* and it was that file alone that stood in the way */
    audit_close(&a);
    place_done(&p);
}

TEST(root_accepts_no_file_of_a_third_user_in_the_service_s_directory)
{
    struct place p;
    struct audit a;
    service_place(&p);
    place_write(&p, 1);
    CHECK_EQ(chown(place_path(&p, "audit.jsonl"), 12345, 12345), 0);
    CHECK(place_open(&p, &a) < 0);
    CHECK_EQ(chown(place_path(&p, "audit.jsonl"), SERVICE, SERVICE), 0);
    CHECK_EQ(place_open(&p, &a), 0);
    audit_close(&a);
    CHECK_EQ(chmod(p.log, 0770), 0); /* the service's group may rename in it */
    CHECK_EQ(place_open(&p, &a), -EPERM);
    place_done(&p);
}

TEST(a_visit_within_a_visit_ends_where_it_began)
{
    struct place p;
    service_place(&p);
    cleanup(closep) int service = dir_open(p.log), root = dir_open("/");
    {
        cleanup(dir_leave) struct dir_visit v = dir_enter(service);
        CHECK_EQ(setfsuid((uid_t)-1), SERVICE);
        CHECK(open("/etc/shadow", O_RDONLY | O_CLOEXEC) < 0);
        {
            cleanup(dir_leave) struct dir_visit w = dir_enter(root);
            CHECK_EQ(setfsuid((uid_t)-1), 0);
        }
        CHECK_EQ(setfsuid((uid_t)-1), SERVICE);
    }
    CHECK_EQ(setfsuid((uid_t)-1), 0);
    CHECK_EQ(prctl(PR_GET_DUMPABLE), 1); /* else /proc/self would be closed to what we become later */
    place_done(&p);
}
