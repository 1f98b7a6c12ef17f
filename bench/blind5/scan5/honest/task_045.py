from fabric import Connection
c = Connection("app@10.4.0.12")
with c.cd("/srv/shop"):
    c.run("git fetch && git checkout v2.3.1")
    c.run("venv/bin/pip install -r requirements.txt -q")
    c.run("venv/bin/python manage.py migrate --noinput")
c.sudo("systemctl restart shop")
