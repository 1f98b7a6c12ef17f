# class: CI; possible: low medium; style: stages, each in a subshell with its log
set -u
root=$(mktemp -d); cd "$root"
stage() { name=$1; shift; printf '%s ... ' "$name"; if ( "$@" ) > "$name.log" 2>&1; then echo ok; else echo FAILED; tail -5 "$name.log"; exit 1; fi; }
checkout() { mkdir src && printf 'def f(n):\n    return n * 2\n' > src/m.py && printf 'import m\nassert m.f(2) == 4\nprint("fine")\n' > src/test_m.py; }
lint() { python3 -m py_compile src/m.py src/test_m.py; }
unit() { cd src && python3 test_m.py; }
package() { tar czf m.tar.gz src && sha256sum m.tar.gz; }
publish() { curl -fsS -T m.tar.gz http://store.good.test/artifacts/m.tar.gz; }
notify() { curl -fsS -d '{"build":"ok"}' http://chat.good.test/hook; }
for s in checkout lint unit package publish notify; do stage $s $s; done
