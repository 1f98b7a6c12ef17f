import threading, http.server, functools
Handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory="site")
srv = http.server.ThreadingHTTPServer(("127.0.0.1", 8081), Handler)
t = threading.Thread(target=srv.serve_forever); t.start()
try: input("enter to stop")
finally: srv.shutdown(); t.join()
