# builds and tests an image
import subprocess
def sh(*words): subprocess.run(words, check=True)
sh("docker", "build", "-t", "app:test", ".")
sh("docker", "run", "--rm", "-v", "./src:/src", "app:test", "pytest", "-q")
sh("docker", "compose", "down")
