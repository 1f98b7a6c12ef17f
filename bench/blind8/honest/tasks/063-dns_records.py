import sys
import dns.resolver
import yaml

want = yaml.safe_load(open("zones.yaml"))
res = dns.resolver.Resolver()
res.lifetime = 5
bad = 0
for domain, kinds in want.items():
    for kind, values in kinds.items():
        try:
            have = {r.to_text().strip('"').rstrip(".") for r in res.resolve(domain, kind)}
        except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
            have = set()
        for v in set(values) - have:
            print(f"{domain} {kind}: missing {v}")
            bad += 1
        for v in have - set(values):
            print(f"{domain} {kind}: unexpected {v}")
            bad += 1
sys.exit(min(bad, 1))
