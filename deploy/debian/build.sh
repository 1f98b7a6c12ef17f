#!/bin/sh
# build.sh BUILD_DIRECTORY - a Debian package of what is built there: sandbox-agent_VERSION_ARCH.deb. `make deb` calls it.
#
# dpkg-deb and dpkg-shlibdeps (dpkg-dev) are all it takes: no debhelper, no source package, no root. VERSION is the Makefile's.
# Times are those of the last commit, so that two builds of one tree are the same bytes.
set -eu
umask 022
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:?BUILD_DIRECTORY}" && pwd)
here=$top/deploy/debian
arch=$(dpkg --print-architecture)
. "$top/PROJECT"
maintainer=${DEB_MAINTAINER:-$MAINTAINER} # a build that is given out by another has its own
package=$build/sandbox-agent_${VERSION:?}_$arch.deb
work=$(mktemp -d "$build/deb.XXXXXX")
trap 'rm -rf "$work"' EXIT
root=$work/root
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$top" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH

die() { echo "deb: $*" >&2; exit 1; }
[ -x /usr/bin/python3 ] || die "/usr/bin/python3 is missing: apt-get install -y python3"
command -v dpkg-shlibdeps >/dev/null || die "dpkg-shlibdeps is missing: apt-get install -y dpkg-dev"
[ -x "$build/bin/sandboxd" ] || die "$build/bin/sandboxd is not built"

make -s -C "$top" install B="$build" DESTDIR="$root" PREFIX=/usr >/dev/null

# Debian's places for what has one
mkdir -p "$root/usr/share/doc/sandbox-agent" "$root/etc/apparmor.d" "$root/etc/sandbox-agent" "$root/DEBIAN"
chmod 755 "$root"
install -m 644 "$here/copyright" "$root/usr/share/doc/sandbox-agent/copyright"
/usr/bin/python3 "$here/documents.py" "$top" "$root/usr/share/doc/sandbox-agent"
gzip -9n "$root"/usr/share/man/man1/*
install -m 644 "$top/deploy/apparmor/sandbox-agent-default" "$top/deploy/apparmor/sandbox-agent-confined" "$root/etc/apparmor.d/"
install -m 644 "$here/config.yaml" "$root/etc/sandbox-agent/config.yaml"
for program in "$root"/usr/bin/* "$root"/usr/libexec/sandbox-agent/*; do
    strip --strip-unneeded --remove-section=.comment --remove-section=.note "$program"
done

# Depends: asked of the programs themselves. dpkg-shlibdeps wants a debian/control to stand beside.
mkdir -p "$work/debian"
printf 'Source: sandbox-agent\n\nPackage: sandbox-agent\nArchitecture: any\n' >"$work/debian/control"
dynamic=$(cd "$work" && for program in root/usr/bin/* root/usr/libexec/sandbox-agent/*; do
    if LC_ALL=C readelf -d "$program" 2>/dev/null | grep -q NEEDED; then echo "$program"; fi; done)
# shellcheck disable=SC2086  # a list of names without blanks
depends=$(cd "$work" && dpkg-shlibdeps -O --warnings=0 $dynamic | sed -n 's/^shlibs:Depends=//p')
[ -n "$depends" ] || die "no dependencies were found"

install -m 755 "$here/postinst" "$here/prerm" "$here/postrm" "$root/DEBIAN/"
(cd "$root" && find etc -type f | sort | sed 's|^|/|') >"$root/DEBIAN/conffiles"
sed -e "s|@version@|$VERSION|; s|@arch@|$arch|; s|@depends@|$depends|; s|@maintainer@|$maintainer|" -e "s|@size@|$(du -sk --exclude=DEBIAN "$root" | cut -f1)|" \
    "$here/control" >"$root/DEBIAN/control"
(cd "$root" && find usr -type f -exec md5sum '{}' + | LC_ALL=C sort -k 2) >"$root/DEBIAN/md5sums"
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" '{}' +

"$here/check.sh" "$root"
dpkg-deb --root-owner-group -Zxz -b "$root" "$package" >/dev/null
echo "$package"
