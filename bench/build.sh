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
# sandboxd once more, without the evidence: for bench/evidence.py. It finds the other programs beside it, as the real one does
if [ -x "$B/bin/sandboxd" ]; then
    read -ra objects < <(make -s B="$B" daemon-objects)
    read -ra libraries < <(make -s B="$B" daemon-libraries)
    mkdir -p "$B/bench/without/bin"
    ln -sfn ../../libexec "$B/bench/without/libexec"
    ln -sfn ../../share "$B/bench/without/share"
    "$CC" "${ours[@]}" -c bench/node.c -o "$B/bench/node.o"
    no_main=()
    for object in "${objects[@]}"; do
        [[ $object == */daemon/main.o ]] || no_main+=("$object")
    done
    "$CC" -pie -Wl,--gc-sections "$B/bench/node.o" "${no_main[@]}" -o "$B/bench/node" "${libraries[@]}"
    "$CC" "${ours[@]}" -c bench/without.c -o "$B/bench/without.o"
    "$CC" -pie -Wl,--gc-sections,-z,relro,-z,now,-z,noexecstack \
        -Wl,--wrap=tree_open,--wrap=tree_leaf,--wrap=index_extend_current,--wrap=meter_add,--wrap=metrics_attempt \
        "$B/bench/without.o" "${objects[@]}" -o "$B/bench/without/bin/sandboxd" "${libraries[@]}"
fi
