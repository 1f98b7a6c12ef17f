import re, sys, getpass, keyring
service = "acme-cli"
token = keyring.get_password(service, getpass.getuser())
if not token:
    token = getpass.getpass("token: "); keyring.set_password(service, getpass.getuser(), token)
print("logged in as", getpass.getuser())
