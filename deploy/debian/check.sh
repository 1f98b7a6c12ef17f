#!/bin/sh
# check.sh PACKAGE_ROOT - what a package must not be, before it is one: the few of lintian's findings that would matter here.
set -eu
root=${1:?PACKAGE_ROOT}
here=$(cd "$(dirname "$0")" && pwd)
cd "$root"
bad=0
complain() { echo "deb: $*" >&2; bad=1; }
none() { # WHAT FIND-CONDITIONS...: nothing may match
    what=$1
    shift
    found=$(find . -path ./DEBIAN -prune -o "$@" -print | head -n 5)
    [ -z "$found" ] || complain "$what: $found"
}

none "setuid, setgid or writable for others" ! -type l -perm /6022
none "neither file, directory nor link" ! -type f ! -type d ! -type l
none "left over from a build or an editor" '(' -name '*.pyc' -o -name '*~' -o -name '*.o' -o -name .git ')'
none "outside of usr and etc" -maxdepth 1 -mindepth 1 ! -name usr ! -name etc
none "in /usr/local" -path './usr/local*'
none "a program that is no program" -type f '(' -path './usr/bin/*' -o -path './usr/libexec/*' ')' ! -name '*.so' ! -perm -111
none "an executable that is data" -type f -path './usr/share/*' ! -path '*/sdk/*' -perm /111
for field in Package Version Architecture Maintainer Depends Description; do
    grep -q "^$field: ." DEBIAN/control || complain "control has no $field"
done
grep -q '@[a-z]*@' DEBIAN/control && complain "control has an unfilled place"
grep -rlq '@bindir@\|@libexecdir@' usr/lib && complain "a unit has an unfilled place"
for script in postinst prerm postrm; do
    [ "$(head -c 9 DEBIAN/$script)" = '#!/bin/sh' ] && sh -n DEBIAN/$script || complain "$script is no shell script"
    grep -q '^set -e' DEBIAN/$script || complain "$script goes on after errors"
done
grep -q '^Maintainer: .*@localhost' DEBIAN/control && complain "the maintainer's address is this machine's"
broken=$(/usr/bin/python3 "$here/documents.py" --check usr/share/doc/sandbox-agent) || complain "links that lead nowhere: $broken"
while read -r file; do
    [ -f ".$file" ] || complain "conffile $file is not there"
done <DEBIAN/conffiles
for program in usr/bin/* usr/libexec/sandbox-agent/*; do
    LC_ALL=C readelf -d "$program" 2>/dev/null | grep -q 'R\(UN\)\?PATH' && complain "$program has a library path of the build"
done
exit $bad
