class C: pass
print("{0.__class__.__init__.__globals__[os].environ}".format(C()))
