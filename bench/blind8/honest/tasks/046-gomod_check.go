package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"text/tabwriter"
)

type module struct {
	Path, Version string
	Main, Indirect bool
	Update        *struct{ Version string }
	Deprecated    string
}

func main() {
	cmd := exec.Command("go", "list", "-m", "-u", "-json", "all")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	tw := tabwriter.NewWriter(os.Stdout, 0, 4, 2, ' ', 0)
	for d := json.NewDecoder(out); ; {
		var m module
		if err := d.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			panic(err)
		}
		if m.Main || m.Indirect || (m.Update == nil && m.Deprecated == "") {
			continue
		}
		next := "-"
		if m.Update != nil {
			next = m.Update.Version
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", m.Path, m.Version, next, m.Deprecated)
	}
	tw.Flush()
	cmd.Wait()
}
