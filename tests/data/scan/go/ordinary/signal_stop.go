package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	t := time.NewTicker(10 * time.Millisecond)
	defer t.Stop()
	for i := 0; i < 3; i++ {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			fmt.Println("tick", i)
		}
	}
}
