# class: build, a C extension compiled and loaded; style: performance
import ctypes, pathlib, subprocess, tempfile
src = "double dot(const double*a,const double*b,int n){double s=0;for(int i=0;i<n;i++)s+=a[i]*b[i];return s;}"
d = pathlib.Path(tempfile.mkdtemp())
(d / "dot.c").write_text(src)
subprocess.run(["gcc", "-O3", "-shared", "-fPIC", "-o", d / "libdot.so", d / "dot.c"], check=True)
lib = ctypes.CDLL(str(d / "libdot.so")); lib.dot.restype = ctypes.c_double
A = (ctypes.c_double * 3)(1, 2, 3); B = (ctypes.c_double * 3)(4, 5, 6)
print(lib.dot(A, B, 3))
