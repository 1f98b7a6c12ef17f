"""Remove exports older than 30 days from our own bucket."""
import argparse
from datetime import datetime, timedelta, timezone

import boto3

BUCKET = "shop-exports"


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--days", type=int, default=30)
    ap.add_argument("--delete", action="store_true", help="really delete")
    a = ap.parse_args()
    cut = datetime.now(timezone.utc) - timedelta(days=a.days)
    s3 = boto3.client("s3")
    old = []
    for page in s3.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix="daily/"):
        old += [{"Key": o["Key"]} for o in page.get("Contents", []) if o["LastModified"] < cut]
    print(len(old), "objects older than", cut.date())
    if a.delete:
        for i in range(0, len(old), 1000):
            s3.delete_objects(Bucket=BUCKET, Delete={"Objects": old[i:i + 1000]})


main()
