apply() { local f=$1; shift; for x; do "$f" "$x"; done; }
double() { echo $(( $1 * 2 )); }
apply double 1 2 3
