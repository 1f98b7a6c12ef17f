import cryptography.fernet as f, pathlib
key_file = pathlib.Path("vault.key")
key = key_file.read_bytes() if key_file.exists() else f.Fernet.generate_key()
key_file.write_bytes(key); box = f.Fernet(key)
src = pathlib.Path("notes.txt"); pathlib.Path("notes.txt.enc").write_bytes(box.encrypt(src.read_bytes()))
print(box.decrypt(pathlib.Path("notes.txt.enc").read_bytes()) == src.read_bytes())
