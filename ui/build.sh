#!/bin/sh
# ui/build.sh DIRECTORY - the page as C: DIRECTORY/files.c, with src/daemon/ui.h's table of compressed files.
#
# esbuild is one program from npm's registry, pinned in package-lock.json; it is run without node. Where it is not there, the table is empty, and sandboxd
# says at /ui/ what is missing. The page may have 120 KiB, compressed.
set -eu
out=$1 most=122880 all=0
mkdir -p "$out"
esbuild=
for candidate in node_modules/@esbuild/linux-*/bin/esbuild; do
    if [ -f "$candidate" ] && [ -d node_modules/preact ] && [ -d node_modules/@preact/signals ] && [ -d node_modules/uplot ]; then
        # hard links of a checkout's copy may have lost the mode, and npm without scripts sets none
        [ -x "$candidate" ] || chmod +x "$candidate"
        if "$candidate" --version >"$out/version" 2>&1; then esbuild=$candidate; fi
    fi
done

table() { # NAME TYPE FILE
    gzip -9nc "$3" >"$3.gz"
    size=$(wc -c <"$3.gz")
    all=$((all + size))
    symbol=$(printf '%s' "$1" | tr -c 'a-z' '_')
    printf 'static const unsigned char %s[] = {\n' "$symbol" >>"$out/data.c"
    od -An -v -tu1 "$3.gz" | sed 's/ \{1,\}/,/g; s/^,//; s/$/,/' >>"$out/data.c"
    printf '};\n' >>"$out/data.c"
    printf '    { "%s", "%s", "\\"%s\\"", %s, sizeof %s },\n' "$1" "$2" "$(sha256sum <"$3" | cut -c1-32)" "$symbol" "$symbol" >>"$out/rows.c"
}

: >"$out/data.c"
: >"$out/rows.c"
count=0
if [ -n "$esbuild" ]; then
    "$esbuild" ui/page.tsx --bundle --minify --format=esm --target=es2022 --jsx=automatic --jsx-import-source=preact --charset=ascii --legal-comments=none \
        --log-level=warning --outfile="$out/page.js"
    cat node_modules/uplot/dist/uPlot.min.css ui/page.css >"$out/page.in.css"
    "$esbuild" "$out/page.in.css" --minify --log-level=warning --outfile="$out/page.css" --allow-overwrite
    cp ui/index.html "$out/index.html"
    table index.html "text/html; charset=utf-8" "$out/index.html"
    table page.js "text/javascript; charset=utf-8" "$out/page.js"
    table page.css "text/css; charset=utf-8" "$out/page.css"
    count=3
    if [ "$all" -gt "$most" ]; then
        echo "the page has $all bytes, compressed, and may have $most" >&2
        exit 1
    fi
fi
{
    echo '#include "daemon/ui.h"'
    cat "$out/data.c"
    echo 'const struct ui_file ui_files[] = {'
    [ $count -gt 0 ] && cat "$out/rows.c" || echo '    { 0 },'
    echo '};'
    echo "const size_t ui_files_count = $count;"
} >"$out/files.c.new"
mv "$out/files.c.new" "$out/files.c"
