#!/bin/bash
# Builds bench/audit.c into build/bench/audit, from the very objects of sandbox-agent.
set -eu
cd "$(dirname "$0")/.."
B=${B:-build} CC=${CC:-gcc}
MUSL=${MUSL:-$(command -v musl-gcc || echo "$CC")}
multiarch=$("$CC" -print-multiarch)
sodium=/usr/lib/$multiarch/libsodium.a
[ -f "$sodium" ] || sodium=-lsodium
mkdir -p "$B/bench"
objects=()
for source in src/base/*.c src/plan/*.c src/config/*.c src/audit/*.c; do
    case $source in src/config/yaml.c) continue ;; esac
    objects+=("$B/static/${source#src/}")
done
objects=("${objects[@]/%.c/.o}")
flags=(-std=gnu17 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wshadow -Werror -Isrc -include src/base/banned.h -U_FORTIFY_SOURCE
    -idirafter /usr/include -idirafter "/usr/include/$multiarch" '-DVERSION="bench"')
"$MUSL" "${flags[@]}" -c bench/audit.c -o "$B/bench/audit.o"
"$MUSL" -static -Wl,--gc-sections "$B/bench/audit.o" "${objects[@]}" "$sodium" -o "$B/bench/audit"
