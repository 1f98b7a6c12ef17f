import sys
import dns.resolver

DOMAINS = sys.argv[1:] or ["example.com", "example.org"]


def txt(name):
    try:
        return [b"".join(r.strings).decode() for r in dns.resolver.resolve(name, "TXT")]
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []


problems = 0
for d in DOMAINS:
    spf = [t for t in txt(d) if t.startswith("v=spf1")]
    dmarc = [t for t in txt("_dmarc." + d) if t.startswith("v=DMARC1")]
    try:
        mx = sorted((r.preference, str(r.exchange)) for r in dns.resolver.resolve(d, "MX"))
    except dns.resolver.NoAnswer:
        mx = []
    ok = len(spf) == 1 and dmarc and "p=none" not in dmarc[0]
    problems += not ok
    print(f"{d}: mx={len(mx)} spf={spf or 'missing'} dmarc={dmarc or 'missing'} {'OK' if ok else 'FIX'}")
sys.exit(1 if problems else 0)
