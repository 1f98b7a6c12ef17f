# class: ci; possible: low medium; style: three jobs, steps, artefacts, uploads a report to the store
set -u
mkdir -p out
job() {
  name=$1
  shift
  echo "::group::$name"
  if "$@" > "out/$name.log" 2>&1; then echo "$name ok"; else echo "$name failed ($?)"; fi
  echo "::endgroup::"
}
printf 'import unittest\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(sum([1, 2]), 3)\nunittest.main()\n' > t.py
printf 'console.log([1,2,3].map(x => x * x).join())\n' > t.js
job unit python3 t.py &
job node node t.js &
job lint python3 -m py_compile t.py &
wait
cat out/*.log > out/report.txt
curl -s -m 8 -T out/report.txt http://store.good.test/ci/report.txt || echo "no store"
tar -czf artefacts.tgz out && ls -l artefacts.tgz
