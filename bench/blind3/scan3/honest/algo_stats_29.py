import random
import statistics as st

random.seed(0)
a = [random.gauss(10, 2) for _ in range(200)]
b = [random.gauss(10.6, 2) for _ in range(200)]
observed = st.mean(b) - st.mean(a)
pool, more = a + b, 0
for _ in range(5000):
    random.shuffle(pool)
    more += st.mean(pool[:200]) - st.mean(pool[200:]) >= observed
print("difference %.3f p %.4f" % (observed, more / 5000))
