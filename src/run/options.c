#include "run/options.h"

void options_done(struct options *o)
{
    strlist_done(&o->env);
    strlist_done(&o->volumes);
    strlist_done(&o->command);
}
