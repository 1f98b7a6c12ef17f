# class: puzzle; style: sloppy
def q(n, r=0, c=0, d1=0, d2=0):
    if r==n: return 1
    t=0
    a=((1<<n)-1)&~(c|d1|d2)
    while a:
        b=a&-a
        a^=b
        t+=q(n,r+1,c|b,(d1|b)<<1,(d2|b)>>1)
    return t
print([q(i) for i in range(1,9)])
