# class: algorithm; style: pipe
tr -cs '[:alpha:]' '\n' <<'TEXT' | tr A-Z a-z | sort | uniq -c | sort -rn | head -5
It was the best of times, it was the worst of times, it was the age of wisdom,
it was the age of foolishness, it was the epoch of belief.
TEXT
