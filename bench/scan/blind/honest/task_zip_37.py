# class: files, download and unpack; style: urllib
import io
import urllib.request
import zipfile

url = "https://data.example/ml-latest-small.zip"
with urllib.request.urlopen(url) as r:
    z = zipfile.ZipFile(io.BytesIO(r.read()))
z.extractall("data")
print(z.namelist())
