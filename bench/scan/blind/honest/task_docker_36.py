# class: containers in CI; style: subprocess
import os
import subprocess

tag = os.environ.get("GITHUB_SHA", "dev")[:12]
image = f"registry.example/team/app:{tag}"
subprocess.run(["docker", "build", "-t", image, "."], check=True)
subprocess.run(["docker", "run", "--rm", "-v", f"{os.getcwd()}:/src", image, "pytest", "-q"], check=True)
if os.environ.get("BRANCH") == "main":
    subprocess.run(["docker", "push", image], check=True)
