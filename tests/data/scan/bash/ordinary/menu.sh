#!/bin/bash
PS3="choose: "
select item in tea coffee water quit; do
  case $item in
    quit) break ;;
    "") echo "no such choice" ;;
    *) echo "one $item, please" ;;
  esac
done
