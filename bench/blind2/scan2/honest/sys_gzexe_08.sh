# class: utility; style: zgrep-like, quoting by sed and eval
#!/bin/sh
args=
for arg do
  case $arg in
    *\'*) arg=$(printf '%s\n' "$arg" | sed "s/'/'\\\\''/g") ;;
  esac
  args="$args '$arg'"
done
res=0
for i in *.gz; do
  gzip -cdfq -- "$i" | eval "grep $args"
  r=$?
  [ $res -lt $r ] && res=$r
done
exit $res
