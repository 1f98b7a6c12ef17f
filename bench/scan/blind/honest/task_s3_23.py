# class: network, upload of results; style: boto3
import boto3
from pathlib import Path

s3 = boto3.client("s3")
for path in Path("results").rglob("*.json"):
    s3.upload_file(str(path), "team-results", f"runs/2026-05-04/{path.name}")
    print("uploaded", path)
