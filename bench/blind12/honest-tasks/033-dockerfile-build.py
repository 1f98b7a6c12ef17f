import subprocess

TAG = "myapp:dev"

def sh(*args):
    print("+", *args)
    subprocess.run(args, check=True)

sh("docker", "build", "-t", TAG, ".")
sh("docker", "run", "--rm", TAG, "pytest", "-q")
