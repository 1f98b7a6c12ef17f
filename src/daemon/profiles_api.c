#include "daemon/profiles_api.h"

#include "base/parse.h"
#include "config/setting_json.h"
#include "daemon/routes.h"

static void put_row(const struct compiled *p, unsigned level, struct buf *out)
{
    json_open(out, '{');
    json_key(out, "risk_level"), json_put_string(out, risk_level_names[level]);
    json_key(out, "file"), json_put_string(out, p->profile_file);
    json_key(out, "name"), json_put_string(out, p->profile.name);
    json_key(out, "description"), json_put_string(out, p->profile.description);
    json_close(out, '}');
}

void profiles_list(struct call *c, struct http_answer *a)
{
    struct policy_set *policies = service_policies(c->service);
    struct buf *out = answer_json(a, 200, MIB);
    json_open(out, '{');
    json_key(out, "profiles");
    json_open(out, '[');
    for (unsigned i = 0; i < RISK_COUNT; i++)
        put_row(&policies->level[i], i, out);
    json_close(out, ']');
    json_key(out, "default"), json_put_string(out, risk_level_names[policies->default_level]);
    json_close(out, '}');
    (void)buf_addc(out, '\n');
    (void)policy_set_unref(policies);
}

static void put_origin(void *context, size_t i, struct buf *out)
{
    const struct compiled *p = context;
    compiled_origin(p, p->profile.origin[i], out);
}

void profiles_show(struct call *c, struct http_answer *a)
{
    struct error err = { 0 };
    unsigned level = 0;
    while (level < RISK_COUNT && !str_eq(c->parts[0], risk_level_names[level]))
        level++;
    if (level == RISK_COUNT) {
        (void)err_set(&err, -ENOENT, BLAME_CALLER, NULL, "there is no such level");
        (void)err_remedy(&err, "levels: low, medium, high");
        call_refuse(c, a, &err);
        return;
    }
    struct policy_set *policies = service_policies(c->service);
    struct buf *out = answer_json(a, 200, MIB);
    settings_json(profile_settings, &policies->level[level].profile, put_origin, &policies->level[level], out);
    (void)buf_addc(out, '\n');
    (void)policy_set_unref(policies);
}
