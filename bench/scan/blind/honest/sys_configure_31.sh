# class: configure script; style: by hand
#!/bin/sh
: "${CC:=cc}"
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' 0 1 2 15
check() {
    printf 'checking for %s... ' "$1"
    printf '#include <%s>\nint main(void) { return 0; }\n' "$2" > "$tmp/t.c"
    if $CC $CFLAGS -o "$tmp/t" "$tmp/t.c" > "$tmp/log" 2>&1; then
        echo yes; echo "#define $3 1" >> config.h
    else
        echo no
    fi
}
: > config.h
check epoll sys/epoll.h HAVE_EPOLL
check ptrace sys/ptrace.h HAVE_PTRACE
sed -e "s|@CC@|$CC|g" Makefile.in > Makefile
