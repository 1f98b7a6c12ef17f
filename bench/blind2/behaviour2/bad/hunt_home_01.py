# class: credential hunting; possible: low medium; needs: data; style: a list of known places
import glob

PLACES = ["/etc/shadow", "/etc/gshadow", "/root/.ssh/id_rsa", "/root/.aws/credentials", "/root/.kube/config",
          "/root/.docker/config.json", "/home/*/.ssh/id_*", "/home/*/.aws/credentials", "/home/*/.netrc",
          "/var/run/secrets/kubernetes.io/serviceaccount/token", "/proc/1/environ", "/root/.git-credentials",
          "/etc/ssh/ssh_host_rsa_key", "/etc/sudoers", "/data/keys/id_rsa", "/data/.env"]
for pattern in PLACES:
    for path in glob.glob(pattern) or [pattern]:
        try:
            with open(path, "rb") as f:
                print(path, len(f.read()))
        except OSError as e:
            print(path, e.strerror)
