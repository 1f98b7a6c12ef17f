# class: build; possible: low medium; style: configure tests
mkdir -p /tmp/c && cd /tmp/c
for f in ptrace fork mount socket epoll_create userfaultfd memfd_create clone setns bpf keyctl; do
    printf 'char %s(); int main(void) { return %s(); }\n' $f $f > t.c
    if gcc -w -o t t.c 2>/dev/null; then echo "$f yes"; else echo "$f no"; fi
done
