# uploads build results with the SDK, credentials from the default chain
import mimetypes
import pathlib
import boto3

s3 = boto3.client("s3", region_name="eu-central-1")
BUCKET = "acme-artifacts"


def upload(root: pathlib.Path, prefix: str):
    for f in root.rglob("*"):
        if f.is_file():
            typ = mimetypes.guess_type(f.name)[0] or "application/octet-stream"
            s3.upload_file(str(f), BUCKET, f"{prefix}/{f.relative_to(root)}", ExtraArgs={"ContentType": typ})
            print("uploaded", f)


upload(pathlib.Path("dist"), "web/" + pathlib.Path("VERSION").read_text().strip())
