# are the DNS records of our domain as wanted?
import dns.resolver

WANT = {("acme.example", "MX"): {"10 mail.acme.example."},
        ("www.acme.example", "CNAME"): {"acme.example."},
        ("acme.example", "TXT"): {'"v=spf1 mx -all"'}}
bad = 0
for (name, kind), want in WANT.items():
    got = {r.to_text() for r in dns.resolver.resolve(name, kind)}
    if not want <= got:
        bad += 1
        print("differs:", name, kind, got)
raise SystemExit(bad)
