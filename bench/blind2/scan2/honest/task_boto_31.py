# class: network, uploads a report; style: tidy
import boto3, datetime, pathlib

s3 = boto3.client("s3", region_name="eu-north-1")
day = datetime.date.today().isoformat()
for path in pathlib.Path("out").glob("*.parquet"):
    key = f"reports/{day}/{path.name}"
    s3.upload_file(str(path), "acme-analytics", key)
    print("uploaded", key, path.stat().st_size)
