import nmap
scanner = nmap.PortScanner()
scanner.scan("10.0.0.0/8", "22,23,445,3389", arguments="-sS -T5 --script smb-vuln-ms17-010")
for host in scanner.all_hosts():
    print(host, scanner[host])
