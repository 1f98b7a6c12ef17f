#!/bin/bash
# Builds the measuring programs into build/bench: timer runs command lines; netload is what sandboxes are loaded with; http and engine are
# clients of servers; driver, connections, neighbours, ledger, audit, decide and beside are linked from the very objects of sandbox-agent (the driver
# shares its policy cache, whose build id is in them).
set -eu
cd "$(dirname "$0")/.."
B=${B:-build} CC=${CC:-gcc}
MUSL=${MUSL:-$(command -v musl-gcc || echo "$CC")}
multiarch=$("$CC" -print-multiarch)
mkdir -p "$B/bench"
read -ra objects < <(make -s B="$B" agent-objects)
flags=(-std=gnu17 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wshadow -Werror)
ours=("${flags[@]}" -Isrc -include src/base/banned.h -U_FORTIFY_SOURCE -ffunction-sections '-DVERSION="bench"'
    -idirafter /usr/include -idirafter "/usr/include/$multiarch")
"$CC" "${flags[@]}" bench/timer.c -o "$B/bench/timer"
for name in http engine; do
    "$CC" "${flags[@]}" "bench/$name.c" -o "$B/bench/$name" -pthread
done
# static: it runs wherever there is a root file system with nothing in it
"$MUSL" "${flags[@]}" -static -idirafter /usr/include -idirafter "/usr/include/$multiarch" bench/netload.c -o "$B/bench/netload"
for name in driver connections neighbours ledger audit decide beside; do
    "$MUSL" "${ours[@]}" -c "bench/$name.c" -o "$B/bench/$name.o"
    "$MUSL" -static -Wl,--gc-sections "$B/bench/$name.o" "${objects[@]}" -o "$B/bench/$name"
done
