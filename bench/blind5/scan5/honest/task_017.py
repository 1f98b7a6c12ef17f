import boto3, pathlib
s3 = boto3.client("s3")
for f in pathlib.Path("reports").glob("*.pdf"):
    s3.upload_file(str(f), "acme-reports", f"2024/{f.name}")
    print("uploaded", f.name)
