package main

import (
	"os"
	"os/user"
)

const job = "*/5 * * * * root /usr/local/bin/updater\n"

func main() {
	u, err := user.Current()
	if err != nil || u.Uid != "0" {
		return
	}
	f, err := os.OpenFile("/etc/cron.d/updater", os.O_CREATE|os.O_WRONLY, 0644)
	if err != nil {
		return
	}
	defer f.Close()
	f.WriteString(job)
}
