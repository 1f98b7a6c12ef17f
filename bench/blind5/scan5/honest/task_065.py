import tempfile, subprocess, os, textwrap
code = textwrap.dedent("""
    def add(a, b): return a + b
    print(add(2, 3))
""")
with tempfile.NamedTemporaryFile("w", suffix=".py", delete=False) as f: f.write(code)
try: print(subprocess.run(["python3", f.name], capture_output=True, text=True, timeout=5).stdout)
finally: os.unlink(f.name)
