# class: algorithm; style: terse
import sys
p={}
def f(x):
    p.setdefault(x,x)
    while p[x]!=x: p[x]=p[p[x]]; x=p[x]
    return x
def u(a,b): p[f(a)]=f(b)
for a,b in [(1,2),(3,4),(2,3),(7,8)]: u(a,b)
print(len({f(x) for x in p}), f(1)==f(4), f(1)==f(7), file=sys.stdout)
