/* pickle.h - what unpickling a constant does, as Python: «import os; os.system('id')». Of YAML likewise the tags that
 * call something (!!python/object/apply:os.system).
 */
#pragma once
#include "scan/fold.h"

/* One statement a line for each call that is made; "" when none is. False: no memory, or not of the form; what was seen
 * up to there is in *ret nevertheless. */
bool pickle_as_python(struct fold_mem *m, struct fold_text t, struct fold_text *ret);
bool yaml_as_python(struct fold_mem *m, struct fold_text t, struct fold_text *ret);
