package main

import (
	"fmt"
	"time"
)

type event struct {
	at   time.Time
	name string
}

func main() {
	ch := make(chan event)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case e := <-ch:
				fmt.Println(e.name)
			case <-done:
				return
			}
		}
	}()
	for _, n := range []string{"start", "exec", "kill", "rm -rf"} {
		ch <- event{time.Now(), n}
	}
	close(done)
}
