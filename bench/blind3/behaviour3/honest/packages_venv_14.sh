# class: package install; possible: low medium; style: python -m venv, local wheel, entry point
set -e
python3 -m venv --without-pip env
mkdir -p demo
printf 'def main():\n    print("demo runs")\n' > demo/__init__.py
site=$(env/bin/python -c 'import sysconfig; print(sysconfig.get_paths()["purelib"])')
cp -r demo "$site/"
printf '#!%s/env/bin/python\nimport demo\ndemo.main()\n' "$PWD" > env/bin/demo
chmod +x env/bin/demo
env/bin/demo
curl -s -m 8 http://pkg.good.test/simple/ | head -c 200 || echo "index not reached"
find env -type f | wc -l
