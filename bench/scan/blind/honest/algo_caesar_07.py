# class: puzzle, cipher; style: short
import codecs
import string

text = "Hello, World"
print(codecs.encode(text, "rot13"))
k = 3
table = str.maketrans(string.ascii_lowercase, string.ascii_lowercase[k:] + string.ascii_lowercase[:k])
print(text.lower().translate(table))
