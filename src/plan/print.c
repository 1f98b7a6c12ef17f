#include "plan/build.h"

void plan_print(const struct plan *p, const struct compiled *c, struct buf *out)
{
    (void)p; (void)c; (void)buf_adds(out, "TODO\n");
}
void plan_print_json(const struct plan *p, const struct compiled *c, struct buf *out)
{
    plan_print(p, c, out);
}
