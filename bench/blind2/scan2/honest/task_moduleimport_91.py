# class: files, writes a helper and imports it; style: agent one-off
import sys, pathlib, importlib
pathlib.Path("/tmp/helpers").mkdir(exist_ok=True)
pathlib.Path("/tmp/helpers/geo.py").write_text('''
import math
def haversine(a, b):
    la1, lo1, la2, lo2 = map(math.radians, (*a, *b))
    h = math.sin((la2-la1)/2)**2 + math.cos(la1)*math.cos(la2)*math.sin((lo2-lo1)/2)**2
    return 2*6371*math.asin(h**.5)
''')
sys.path.insert(0, "/tmp/helpers"); geo = importlib.import_module("geo")
print(round(geo.haversine((52.5, 13.4), (48.9, 2.35))))
