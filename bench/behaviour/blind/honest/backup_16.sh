# class: backup; possible: low; style: rsync, twice
mkdir -p /workspace/mirror
rsync -a --delete /data/ /workspace/mirror/ && rsync -a --delete --itemize-changes /data/ /workspace/mirror/
du -s /workspace/mirror
