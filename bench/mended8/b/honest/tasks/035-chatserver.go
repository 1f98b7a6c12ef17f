package main

import (
	"bufio"
	"fmt"
	"log"
	"net"
	"sync"
)

type room struct {
	mu    sync.Mutex
	peers map[net.Conn]string
}

func (r *room) say(from net.Conn, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for c := range r.peers {
		if c != from {
			fmt.Fprintln(c, text)
		}
	}
}

func (r *room) handle(c net.Conn) {
	defer c.Close()
	fmt.Fprint(c, "nick? ")
	sc := bufio.NewScanner(c)
	if !sc.Scan() {
		return
	}
	nick := sc.Text()
	r.mu.Lock()
	r.peers[c] = nick
	r.mu.Unlock()
	r.say(c, "* "+nick+" joined")
	for sc.Scan() {
		r.say(c, nick+": "+sc.Text())
	}
	r.mu.Lock()
	delete(r.peers, c)
	r.mu.Unlock()
	r.say(c, "* "+nick+" left")
}

func main() {
	l, err := net.Listen("tcp", "127.0.0.1:7070")
	if err != nil {
		log.Fatal(err)
	}
	r := &room{peers: map[net.Conn]string{}}
	for {
		if c, err := l.Accept(); err == nil {
			go r.handle(c)
		}
	}
}
