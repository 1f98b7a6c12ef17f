/* sign.c - the command `sign`: makes keys and signatures for security.verify_signatures. Needs no configuration, so
 * that it runs where the agent's author is. */
#include <fcntl.h>
#include <stdio.h>
#include "audit/signature.h"
#include "base/buf.h"
#include "cli/cmd.h"
#include "cli/records.h"
#include "plan/request.h"
#include "base/clock.h"

static int read_code(const char *path, struct buf *ret, struct error *err)
{
    char chunk[65536];
    bool is_stdin = str_eq(path, "-");
    cleanup(closep) int file = is_stdin ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    int fd = is_stdin ? STDIN_FILENO : file;
    ssize_t n = fd < 0 ? -1 : 0;
    buf_init(ret, REQUEST_MAX_CODE_BYTES);
    while (fd >= 0 && (n = read(fd, chunk, sizeof chunk)) > 0)
        if (buf_add(ret, chunk, (size_t)n) < 0)
            return err_set(err, -EFBIG, BLAME_CALLER, NULL, "--code %s: more than %u bytes", path,
                           REQUEST_MAX_CODE_BYTES);
    return n < 0 ? err_set(err, -errno, BLAME_CALLER, NULL, "--code %s: %m", path) : 0;
}

static int generate(const char *file, bool json, struct error *err)
{
    char public[65];
    int e = signature_generate(file, public, err);
    if (e < 0)
        return e;
    (void)printf(json ? "{\"public_key\":\"%s\"}\n" : "%s\n", public);
    if (!json)
        (void)fprintf(
            stderr,
            "the private key is in %s; register the public one: sandbox-agent agents key AGENT_ID --public %s\n", file,
            public);
    return 0;
}

static int sign(const char *key, const char *agent, const char *code, bool json, struct error *err)
{
    char text[SIGNATURE_TEXT_MAX];
    struct buf bytes;
    if (!key || !agent || !code)
        return err_set(err, -EINVAL, BLAME_CALLER, NULL, "sign: %s is missing; or --generate FILE to make a key",
                       !key     ? "--key FILE"
                       : !agent ? "--agent-id ID"
                                : "--code FILE");
    int e = read_code(code, &bytes, err);
    if (e == 0)
        e = signature_make(key, agent, bytes.data, bytes.size, wall_clock_ms(), text, err);
    if (e == 0)
        (void)printf(json ? "{\"signature\":\"%s\"}\n" : "%s\n", text);
    buf_done(&bytes);
    return e;
}

int cmd_sign(const struct paths *p, struct arena *a, int argc, char **argv)
{
    const char *key = NULL, *agent = NULL, *code = NULL, *file = NULL;
    bool json = false;
    size_t rest;
    struct error err = { 0 };
    const struct word words[] = { { "--key", &key, NULL, NULL },   { "--agent-id", &agent, NULL, NULL },
                                  { "--code", &code, NULL, NULL }, { "--generate", &file, NULL, NULL },
                                  { "--json", NULL, &json, NULL }, { 0 } };
    (void)p;
    (void)a;
    int e = words_parse(argc, argv, words, NULL, 0, &rest, &err);
    if (e == 0 && file && (key || agent || code))
        e = err_set(&err, -EINVAL, BLAME_CALLER, NULL, "sign: --generate stands alone");
    if (e == 0)
        e = file ? generate(file, json, &err) : sign(key, agent, code, json, &err);
    if (e < 0)
        return records_fail(&err);
    return output_end(0);
}
