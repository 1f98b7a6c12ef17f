# class: configure; style: autoconf excerpt
#! /bin/sh
DUALCASE=1; export DUALCASE # for MKS sh
if test -n "${ZSH_VERSION+set}" && (emulate sh) >/dev/null 2>&1; then
  emulate sh; NULLCMD=:
  alias -g '${1+"$@"}'='"$@"'
  setopt NO_GLOB_SUBST
fi
as_nl='
'
for as_var in BASH_ENV ENV MAIL MAILPATH; do
  eval "if test x\${$as_var+set} = xset; then ( (unset $as_var) || exit 1) >/dev/null 2>&1 && unset $as_var || :; fi"
done
ac_try='$CC -c $CFLAGS $CPPFLAGS conftest.$ac_ext >&5'
cat > conftest.c <<_ACEOF
#include <stdio.h>
int main (void) { FILE *f = fopen ("conftest.out", "w"); return ferror (f) || fclose (f) != 0; }
_ACEOF
if { { eval "ac_try_echo=\"\$as_me:${as_lineno-$LINENO}: $ac_try\""; eval "$ac_try"; } 2>&5; }; then
  echo yes
else
  echo "configure: failed program was:" >&5; sed 's/^/| /' conftest.c >&5
fi
rm -f core conftest.err conftest.$ac_objext conftest.$ac_ext
