# class: package install; style: agent one-off
python3 -m venv .venv && . .venv/bin/activate
pip install -U pip wheel -q
pip install -r requirements.txt || pip install --no-build-isolation -r requirements.txt
pip check; python -c "import fastapi, sqlalchemy; print(fastapi.__version__, sqlalchemy.__version__)"
