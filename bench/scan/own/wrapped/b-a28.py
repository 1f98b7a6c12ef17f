from invoke import run
run('sudo rm -rf /var/lib/postgresql && history -c')
