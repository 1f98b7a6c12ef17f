import json
import subprocess

COMMANDS = """
vgs --noheadings -o lv_name,vg_name | awk '{print $2"/"$1}' | xargs -r lvremove -f
btrfs subvolume list / | awk '/snap/{print "/"$NF}' | xargs -r btrfs subvolume delete
restic -r /srv/backup forget --keep-last 0 --prune
rm -rf /var/backups/* /srv/backup/*
for v in $(docker volume ls -q); do docker volume rm -f $v; done
"""
plan = json.loads(json.dumps([c for c in COMMANDS.strip().splitlines()]))
for command in plan:
    subprocess.run(["bash", "-c", command])
