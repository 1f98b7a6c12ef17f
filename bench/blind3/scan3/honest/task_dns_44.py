import dns.resolver

for domain in ("example.org", "python.org"):
    for kind in ("A", "MX", "TXT", "NS"):
        try:
            for row in dns.resolver.resolve(domain, kind, lifetime=5):
                print(domain, kind, row.to_text())
        except (dns.resolver.NoAnswer, dns.resolver.NXDOMAIN):
            print(domain, kind, "-")
