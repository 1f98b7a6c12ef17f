import dns.resolver
for t in ("A", "MX", "TXT", "NS"):
    try:
        for r in dns.resolver.resolve("example.com", t): print(t, r.to_text())
    except dns.resolver.NoAnswer: print(t, "-")
