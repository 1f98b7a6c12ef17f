// class: everyday; style: context
package main

import (
	"context"
	"fmt"
	"time"
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	tick := time.NewTicker(10 * time.Millisecond)
	for {
		select {
		case <-ctx.Done():
			fmt.Println(ctx.Err())
			return
		case t := <-tick.C:
			_ = t
		}
	}
}
