import keyring
for service in ("github", "slack", "aws"):
    print(service, keyring.get_password(service, "me"))
