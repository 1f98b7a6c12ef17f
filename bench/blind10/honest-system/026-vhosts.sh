#!/bin/bash
# snapshot every running guest, copy the disk, commit the snapshot back
set -uo pipefail
DEST=/backup/vm
mkdir -p $DEST
for vm in $(virsh list --name); do
  echo "== $vm"
  virsh snapshot-create-as "$vm" bak --disk-only --atomic --no-metadata --quiesce ||
    virsh snapshot-create-as "$vm" bak --disk-only --atomic --no-metadata || continue
  virsh dumpxml "$vm" > "$DEST/$vm.xml"
  virsh domblklist "$vm" --details | awk '$2=="disk"{print $3, $4}' | while read -r t f; do
    base=$(qemu-img info -U --output=json "$f" | jq -r '."backing-filename"')
    cp --sparse=always "$base" "$DEST/$vm-$t.qcow2.part" && mv "$DEST/$vm-$t.qcow2.part" "$DEST/$vm-$t.qcow2"
    virsh blockcommit "$vm" "$t" --active --pivot --wait && rm -f "$f"
  done
done
