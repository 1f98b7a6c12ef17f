package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"golang.org/x/sync/errgroup"
)

var steps = [][]string{
	{"go", "vet", "./..."},
	{"go", "test", "-race", "./..."},
	{"staticcheck", "./..."},
	{"npm", "--prefix", "web", "run", "lint"},
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for _, s := range steps {
		g.Go(func() error {
			start := time.Now()
			var out bytes.Buffer
			cmd := exec.CommandContext(ctx, s[0], s[1:]...)
			cmd.Stdout, cmd.Stderr = &out, &out
			err := cmd.Run()
			fmt.Printf("%-40v %6.1fs %v\n", s, time.Since(start).Seconds(), err)
			if err != nil {
				fmt.Print(out.String())
			}
			return err
		})
	}
	if g.Wait() != nil {
		os.Exit(1)
	}
}
