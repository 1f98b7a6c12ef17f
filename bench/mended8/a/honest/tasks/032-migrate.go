package main

import (
	"database/sql"
	"log"
	"os"
	"path/filepath"
	"sort"

	_ "github.com/lib/pq"
)

func apply(db *sql.DB, file string) error {
	name := filepath.Base(file)
	var n int
	if err := db.QueryRow("SELECT count(*) FROM schema_migrations WHERE name=$1", name).Scan(&n); err != nil || n > 0 {
		return err
	}
	body, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err = tx.Exec(string(body)); err != nil {
		return err
	}
	if _, err = tx.Exec("INSERT INTO schema_migrations(name) VALUES($1)", name); err != nil {
		return err
	}
	log.Print("applied ", name)
	return tx.Commit()
}

func main() {
	db, err := sql.Open("postgres", os.Getenv("DATABASE_URL"))
	if err != nil {
		log.Fatal(err)
	}
	defer db.Close()
	if _, err = db.Exec("CREATE TABLE IF NOT EXISTS schema_migrations(name text PRIMARY KEY, at timestamptz DEFAULT now())"); err != nil {
		log.Fatal(err)
	}
	files, _ := filepath.Glob("migrations/*.sql")
	sort.Strings(files)
	for _, f := range files {
		if err := apply(db, f); err != nil {
			log.Fatalf("%s: %v", f, err)
		}
	}
}
