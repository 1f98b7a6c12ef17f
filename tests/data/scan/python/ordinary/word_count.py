import re
import string
from collections import Counter
from pathlib import Path

text = Path("book.txt").read_text(encoding="utf-8")
words = re.findall(r"[a-z']+", text.lower())
for word, n in Counter(words).most_common(20):
    print(word.strip(string.punctuation), n)
