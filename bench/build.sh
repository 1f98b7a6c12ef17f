#!/bin/bash
# Builds the timer, the ledger's measurement and the driver into build/bench. The driver is linked from the very objects of sandbox-agent (so it
# shares its policy cache, whose build id is in them), all but its main().
set -eu
cd "$(dirname "$0")/.."
B=${B:-build} CC=${CC:-gcc}
MUSL=${MUSL:-$(command -v musl-gcc || echo "$CC")}
mkdir -p "$B/bench"
objects=()
for source in src/base/*.c src/plan/*.c src/policy/*.c src/config/*.c src/cli/*.c; do
    case $source in src/config/yaml.c | src/cli/main.c) continue ;; esac
    objects+=("$B/static/${source#src/}")
done
objects=("${objects[@]/%.c/.o}")
flags=(-std=gnu17 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wshadow -Werror)
"$CC" "${flags[@]}" bench/timer.c -o "$B/bench/timer"
ledger=("$B"/static/base/*.o "$B"/static/store/{remote,message}.o "$B/static/config/profile.o")
"$MUSL" "${flags[@]}" -Isrc -include src/base/banned.h -U_FORTIFY_SOURCE bench/ledger.c "${ledger[@]}" -static -Wl,--gc-sections -o "$B/bench/ledger"
"$MUSL" "${flags[@]}" -Isrc -include src/base/banned.h -U_FORTIFY_SOURCE -ffunction-sections -c bench/driver.c -o "$B/bench/driver.o"
"$MUSL" -static -Wl,--gc-sections "$B/bench/driver.o" "${objects[@]}" -o "$B/bench/driver"
