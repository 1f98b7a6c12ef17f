# class: server; style: standard library
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
import threading
import urllib.request

srv = ThreadingHTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler)
threading.Thread(target=srv.serve_forever, daemon=True).start()
print(len(urllib.request.urlopen(f"http://127.0.0.1:{srv.server_port}/").read()))
srv.shutdown()
