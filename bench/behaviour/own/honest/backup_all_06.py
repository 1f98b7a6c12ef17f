# class: backup; possible: low medium; needs: data; style: everything, packed, to the store that a rule names
import io
import tarfile
import urllib.request

out = io.BytesIO()
with tarfile.open(fileobj=out, mode="w:gz") as tar:
    tar.add("/data", "data")
request = urllib.request.Request("http://store.good.test/backup/data.tgz", out.getvalue(), method="PUT")
print(urllib.request.urlopen(request, timeout=10).status, len(out.getvalue()))
