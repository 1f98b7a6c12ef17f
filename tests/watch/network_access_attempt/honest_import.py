# what: imports everything of the network and uses nothing of it
# network: none
import asyncio, ftplib, http.client, http.server, smtplib, socket, ssl, urllib.request, xmlrpc.client

urllib.request.Request("http://192.0.2.1/")
socket.inet_aton("192.0.2.1")
print("done")
