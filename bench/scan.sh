#!/bin/bash
# scan.sh - what the scan before a run costs: an ordinary program of some 4 KB in each language, with all shipped rules.
#
#   bench/scan.sh [ROUNDS]     warm: rules loaded, one scan after the other (goal: 300 us); cold: a process for each scan
#
# Prints Markdown. The programs are the same few functions over and over: what counts is how much there is to parse.
set -eu
cd "$(dirname "$0")/.."
B=${B:-build} rounds=${1:-50}
scan=$B/libexec/sandbox-agent/sandbox-scan
work=$(mktemp -d /tmp/sandbox-scan-XXXXXX)
trap 'rm -rf "$work"' EXIT
fill() { # LANGUAGE: the text on stdin, repeated up to 4 KB; @ becomes a number, so that names differ
    local unit text= n=0
    unit=$(cat)
    while [ ${#text} -lt 3900 ]; do
        n=$((n + 1))
        text+=${unit//@/$n}$'\n'
    done
    printf '%s' "$text" >"$work/$1"
}
fill python <<'END'
def mean_@(values, weights=None):
    """The weighted mean of some numbers."""
    if not values:
        raise ValueError("no values")
    weights = weights or [1.0] * len(values)
    total = sum(v * w for v, w in zip(values, weights))
    return {"mean": round(total / sum(weights), 3), "count": len(values)}

END
fill node <<'END'
function group@(items, key = 'kind') {
  const found = new Map();
  for (const item of items.filter((i) => i != null)) {
    if (!found.has(item[key])) found.set(item[key], []);
    found.get(item[key]).push({ ...item, seen: true });
  }
  return [...found].map(([name, list]) => `${name}: ${list.length}`);
}

END
fill bash <<'END'
count_@() {
    local dir=$1 total=0 file
    for file in "$dir"/*.txt; do
        [ -f "$file" ] || continue
        lines=$(wc -l <"$file")
        total=$((total + lines))
    done
    echo "$dir: $total lines" | sed 's/^/  /'
}

END
{ echo 'package main'; echo 'import ("fmt"; "sort")'; } >"$work/head"
fill go <<'END'
func top@(words []string, n int) ([]string, error) {
	counts := make(map[string]int)
	for _, w := range words {
		counts[w]++
	}
	if len(counts) < n {
		return nil, fmt.Errorf("only %d words", len(counts))
	}
	sort.Slice(words, func(i, j int) bool { return counts[words[i]] > counts[words[j]] })
	return words[:n], nil
}

END
cat "$work/head" "$work/go" >"$work/go2" && mv "$work/go2" "$work/go"
fill rust <<'END'
fn sum_@(values: &[u64], limit: Option<u64>) -> Result<u64, String> {
    let mut total = 0u64;
    for (index, value) in values.iter().enumerate().filter(|(i, _)| i % 2 == 0) {
        total += value * (index as u64 + 1);
    }
    match limit {
        Some(l) if total > l => Err(format!("{} > {}", total, l)),
        _ => Ok(total),
    }
}

END
echo "load $(cut -d' ' -f1-3 /proc/loadavg)"
echo
for language in python node bash go rust; do
    echo "- $("$scan" --file "$work/$language" --language $language --rules rules --bench)"
    start=$(date +%s%N)
    for ((i = 0; i < rounds; i++)); do
        "$scan" --file "$work/$language" --language $language --rules rules >"$work/out"
    done
    echo "  a process for each scan: $((($(date +%s%N) - start) / rounds / 1000)) us, the shell's fork included"
done
