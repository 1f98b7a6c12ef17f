from collections import Counter
import string

TEXT = """the quick brown fox jumps over the lazy dog. The dog sleeps; the fox runs."""
words = TEXT.lower().translate(str.maketrans("", "", string.punctuation)).split()
for w, n in Counter(words).most_common(5):
    print(f"{w:<8}{n}")
