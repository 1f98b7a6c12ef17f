# class: leaks
# what: finds the caller's environment in its own: the test's secret, or anything beyond what a sandbox needs
# include: attack.py
secret = params.get("secret_name", "SANDBOX_AGENT_TEST_SECRET")
if secret in os.environ:
    escaped("has " + secret)
for name, text in os.environ.items():
    if secret in text:
        escaped("%s carries the secret" % name)
strange = [n for n in os.environ if n.startswith(("SSH_", "XDG_", "SUDO_", "DBUS_", "AWS_", "GITHUB_",
                                                     "NODE_EXTRA", "PYENV", "LD_", "OLDPWD", "MAIL",
                                                  "PYTEST", "SANDBOX_AGENT", "LOGNAME", "DISPLAY", "HOSTNAME"))]
if strange:
    escaped("has the caller's variables " + " ".join(strange))
contained("has only " + " ".join(sorted(os.environ)))
