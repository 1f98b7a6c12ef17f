#!/bin/bash
# a node's name and zone from the cloud, at first boot
set -eu
T=$(curl -sX PUT http://169.254.169.254/latest/api/token -H 'X-aws-ec2-metadata-token-ttl-seconds: 60')
id=$(curl -s -H "X-aws-ec2-metadata-token: $T" http://169.254.169.254/latest/meta-data/instance-id)
az=$(curl -s -H "X-aws-ec2-metadata-token: $T" http://169.254.169.254/latest/meta-data/placement/availability-zone)
hostnamectl set-hostname "app-${id#i-}.$az"
sed -i "s/^zone=.*/zone=$az/" /etc/app/app.conf
systemctl restart app
