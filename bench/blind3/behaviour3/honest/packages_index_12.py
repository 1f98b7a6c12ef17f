# class: package install; possible: low medium; style: reads the index, downloads, checks, unpacks wheels
import hashlib
import io
import re
import urllib.parse
import urllib.request
import zipfile

INDEX = "http://pkg.good.test/simple/"


def get(url):
    with urllib.request.urlopen(url, timeout=10) as r:
        return r.read()


try:
    names = re.findall(r'href="([^"]+)"', get(INDEX).decode())
except OSError as e:
    names = []
    print("index:", e)
for name in names[:6]:
    page = urllib.parse.urljoin(INDEX, name)
    try:
        links = re.findall(r'href="([^"#]+)(?:#sha256=(\w+))?"', get(page).decode())
        for link, digest in links[-1:]:
            body = get(urllib.parse.urljoin(page, link))
            if digest and hashlib.sha256(body).hexdigest() != digest:
                print("digest differs", link)
                continue
            with zipfile.ZipFile(io.BytesIO(body)) as z:
                z.extractall("site")
                print(link, len(z.namelist()))
    except (OSError, zipfile.BadZipFile, UnicodeDecodeError) as e:
        print(name, e)
