# class: package install; possible: low medium; style: curl, sha256sum, python's zip
set -e
mkdir -p /tmp/pk && cd /tmp/pk
for p in delta beta gamma alpha; do
  curl -fsS "http://pkg.good.test/simple/$p/" > $p.json
  url=$(sed 's/.*"url": "\([^"]*\)".*/\1/' $p.json)
  sum=$(sed 's/.*"sha256": "\([^"]*\)".*/\1/' $p.json)
  curl -fsS -o $p.zip "http://pkg.good.test$url"
  echo "$sum  $p.zip" | sha256sum -c -
  python3 -m zipfile -e $p.zip site
done
PYTHONPATH=site python3 -c 'import beta.m1; print(beta.m1.f1(2))'
