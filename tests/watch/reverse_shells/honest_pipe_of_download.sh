# what: a shell that is fed by a download, as installers are, and says what it does to the caller
# server: http
cat > /tmp/fetch.py << 'P'
import http.client, os, time

c = http.client.HTTPConnection(*os.environ["SERVER"].split(":"))
for path, line in (("/small", "echo installing"), ("/big", "uname -s > /tmp/system"), ("/small", "echo installed")):
    c.request("GET", path)
    assert c.getresponse().read()
    print(line, flush=True)
    time.sleep(0.3)
P
said=$(python3 /tmp/fetch.py | sh)
[ -s /tmp/system ] && [ "${said##* }" = $'installing\ninstalled' ] && echo done
