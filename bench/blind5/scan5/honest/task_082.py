import pwd, os, stat
for f in os.scandir("."):
    st = f.stat(); print(stat.filemode(st.st_mode), pwd.getpwuid(st.st_uid).pw_name, st.st_size, f.name)
