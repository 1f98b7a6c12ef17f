import ctypes
import subprocess
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as d:
    c = Path(d, "sum.c")
    c.write_text("double total(const double *a, int n){double s=0;for(int i=0;i<n;i++)s+=a[i];return s;}\n")
    so = Path(d, "libsum.so")
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", so, c], check=True)
    lib = ctypes.CDLL(str(so))
    lib.total.restype = ctypes.c_double
    arr = (ctypes.c_double * 4)(1, 2, 3, 4.5)
    print(lib.total(arr, 4))
