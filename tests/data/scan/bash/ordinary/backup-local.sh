#!/bin/bash
stamp=$(date +%Y%m%d)
mkdir -p backups
tar czf "backups/src-$stamp.tar.gz" src
ls -lh backups
