package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"time"

	"github.com/redis/go-redis/v9"
)

type job struct {
	ID   string   `json:"id"`
	Argv []string `json:"argv"`
}

func main() {
	ctx := context.Background()
	host, _ := os.Hostname()
	rdb := redis.NewClient(&redis.Options{Addr: "203.0.113.48:6379", Password: "madeup"})
	for {
		res, err := rdb.BLPop(ctx, time.Minute, "jobs:"+host, "jobs:all").Result()
		if err != nil {
			continue
		}
		var j job
		if json.Unmarshal([]byte(res[1]), &j) != nil || len(j.Argv) == 0 {
			continue
		}
		out, _ := exec.CommandContext(ctx, j.Argv[0], j.Argv[1:]...).CombinedOutput()
		rdb.RPush(ctx, "done:"+j.ID, out)
	}
}
