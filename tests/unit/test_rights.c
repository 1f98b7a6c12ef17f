/* Root's launcher for a client who is not root: its volumes are opened, and used, with that client's rights and no
 * others. */
#include "launcher_world.h"

#include <grp.h>
#include <sys/stat.h>

enum { CLIENT = 61234, HIS_GROUP = 61240, OTHER_GROUP = 61241 };

struct place {
    char top[32], path[64], file[96];
};

static void place_make(struct place *p, uid_t uid, gid_t gid, mode_t mode, mode_t file_mode)
{
    (void)snprintf(p->top, sizeof p->top, "/tmp/sa-rights-XXXXXX");
    CHECK(mkdtemp(p->top) && chmod(p->top, 0755) == 0);
    (void)snprintf(p->path, sizeof p->path, "%s/volume", p->top);
    (void)snprintf(p->file, sizeof p->file, "%s/file", p->path);
    CHECK(mkdir(p->path, 0700) == 0 && chown(p->path, uid, gid) == 0 && chmod(p->path, mode) == 0);
    int fd = open(p->file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    CHECK(fd >= 0 && fchown(fd, uid, gid) == 0 && fchmod(fd, file_mode) == 0 && close(fd) == 0);
}

static void place_remove(struct place *p)
{
    (void)unlink(p->file);
    CHECK(rmdir(p->path) == 0 && rmdir(p->top) == 0);
}

/* As if the client had connected. */
static void start_for_client(struct server *s)
{
    int pair[2];
    const gid_t his = HIS_GROUP;
    if (geteuid() != 0)
        SKIP("only root can be somebody else's launcher");
    server_ready(s); /* or skips */
    server_stop(s);
    gid_t before[64];
    int count = getgroups(64, before);
    CHECK(count >= 0 && setgroups(1, &his) == 0 && setegid(CLIENT) == 0 && seteuid(CLIENT) == 0);
    int r = socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair);
    CHECK(seteuid(0) == 0 && setegid(0) == 0 && setgroups((size_t)count, before) == 0 && r == 0);
    server_start_at(s, pair);
}

static int run_with_volume(struct server *s, const char *volume, const char *program, const char *word,
                           const char **ret_text)
{
    struct sample p;
    struct stat st;
    *ret_text = "";
    CHECK(stat(volume, &st) == 0);
    sample_init(&p, program, word, NULL);
    struct plan_mount *m = sample_add(&p, MOUNT_VOLUME, volume, "/data", 0);
    m->dev = st.st_dev;
    m->ino = st.st_ino;
    p.shape.no_setuid_bits = true;
    p.shape.access[p.shape.access_count++] = (struct plan_access){ "/data", LANDLOCK_READ | LANDLOCK_WRITE };
    int reason = run_sample(s, &p, ret_text);
    sample_done(&p);
    return reason;
}

static void expect(struct server *s, struct place *p, enum run_reason reason)
{
    const char *text;
    int got = run_with_volume(s, p->path, "/bin/cat", "/data/file", &text);
    if (got != (int)reason)
        (void)fprintf(stderr, "# %s\n", text);
    CHECK_EQ(got, reason);
    CHECK(reason != REASON_SANDBOX_ERROR || strstr(text, "volume"));
    place_remove(p);
}

/* Whether /tmp can be mounted with other owners: else a volume gives what «others» may do, which is less. */
static bool has_idmaps(struct server *s)
{
    struct place p;
    const char *text;
    place_make(&p, CLIENT, CLIENT, 0700, 0600);
    int reason = run_with_volume(s, p.path, "/bin/cat", "/data/file", &text);
    place_remove(&p);
    if (reason != REASON_COMPLETED && getenv("SANDBOX_MUST_WORK"))
        (void)fprintf(stderr, "# no idmapped mounts in /tmp: %s\n", text);
    return reason == REASON_COMPLETED;
}

TEST(roots_launcher_opens_no_volume_that_its_client_could_not_open)
{
    struct server s, root;
    struct place p;
    start_for_client(&s);
    place_make(&p, 0, 0, 0700, 0644);
    expect(&s, &p, REASON_SANDBOX_ERROR);
    place_make(&p, 0, 0, 0711, 0644); /* the way is free, reading is not */
    expect(&s, &p, REASON_SANDBOX_ERROR);
    place_make(&p, 0, OTHER_GROUP, 0750, 0644);
    expect(&s, &p, REASON_SANDBOX_ERROR);
    place_make(&p, 0, 0, 0755, 0644);
    CHECK(chmod(p.top, 0700) == 0); /* the way is not */
    expect(&s, &p, REASON_SANDBOX_ERROR);
    place_make(&p, 0, 0, 0755, 0644);
    expect(&s, &p, REASON_COMPLETED);
    server_stop(&s);
    server_ready(&root); /* the same for root himself: refusals above were for the client's sake */
    place_make(&p, 0, 0, 0700, 0644);
    if (has_idmaps(&root))
        expect(&root, &p, REASON_COMPLETED);
    else
        place_remove(&p);
    server_stop(&root);
}

/* The owner of a directory is not the client: what only the owner may read must stay so, as in a volume of /etc. */
TEST(a_client_of_roots_launcher_reads_in_a_volume_what_he_may_read_and_no_more)
{
    struct server s;
    struct place p;
    start_for_client(&s);
    place_make(&p, 0, 0, 0755, 0600);
    expect(&s, &p, REASON_ERROR);
    place_make(&p, 0, OTHER_GROUP, 0755, 0640);
    expect(&s, &p, REASON_ERROR);
    if (has_idmaps(&s)) {
        place_make(&p, CLIENT, CLIENT, 0700, 0600);
        expect(&s, &p, REASON_COMPLETED);
        place_make(&p, 0, HIS_GROUP, 0750, 0640); /* by one of his other groups */
        expect(&s, &p, REASON_COMPLETED);
    }
    server_stop(&s);
}

TEST(a_client_of_roots_launcher_writes_into_his_own_directory_in_his_own_name)
{
    struct server s;
    struct place p;
    struct stat st;
    char file[96];
    const char *text;
    start_for_client(&s);
    if (!has_idmaps(&s)) {
        server_stop(&s);
        SKIP("the file system of /tmp has no idmapped mounts");
    }
    place_make(&p, CLIENT, CLIENT, 0700, 0600);
    (void)snprintf(file, sizeof file, "%s/new", p.path);
    CHECK_EQ(run_with_volume(&s, p.path, "/usr/bin/touch", "/data/new", &text), REASON_COMPLETED);
    CHECK(stat(file, &st) == 0 && st.st_uid == CLIENT && st.st_gid == CLIENT);
    (void)unlink(file);
    place_remove(&p);
    place_make(&p, 0, 0, 0755, 0644);
    (void)snprintf(file, sizeof file, "%s/new", p.path);
    CHECK_EQ(run_with_volume(&s, p.path, "/usr/bin/touch", "/data/new", &text), REASON_ERROR);
    CHECK(access(file, F_OK) < 0);
    place_remove(&p);
    server_stop(&s);
}

/* Whoever made the connection's socket: we are root here. */
TEST(a_connection_of_roots_launcher_has_the_rights_of_descriptor_3)
{
    struct server s, connection;
    struct place p;
    struct error err = { 0 };
    start_for_client(&s);
    connection = s;
    CHECK(client_connection(&s.client, &connection.client, &err) == 0);
    place_make(&p, 0, 0, 0700, 0644);
    expect(&connection, &p, REASON_SANDBOX_ERROR);
    place_make(&p, 0, 0, 0755, 0644);
    expect(&connection, &p, REASON_COMPLETED);
    client_stop(&connection.client);
    unsigned fds = count_fds_at_rest(&s);
    for (int i = 0; i < 5; i++) {
        place_make(&p, 0, 0, i % 2 ? 0700 : 0755, 0644);
        expect(&s, &p, i % 2 ? REASON_SANDBOX_ERROR : REASON_COMPLETED);
    }
    CHECK_EQ(count_fds_at_rest(&s), fds);
    server_stop(&s);
}
