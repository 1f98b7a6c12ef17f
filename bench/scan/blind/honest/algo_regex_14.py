# class: puzzle, text; style: one-liner
import re
print(sorted(set(re.findall(r"\b\w+\b", "the kill switch in the root shell of the password vault".lower())), key=len))
