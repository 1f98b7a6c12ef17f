# class: filesystem
# what: reads, appends to and executes the host's canary and host files by their plain path
# include: attack.sh
param canary /root/.bashrc
canary=$value
{
    text=$(<"$canary") && [[ -n $text ]] && found=1
} 2<&0
[[ $found ]] && escaped "read $canary"
refused read
{ exec 7>>"$canary" && found=1; } 2<&0
[[ $found ]] && escaped "opened $canary for appending"
refused append
{ cd "${canary%/*}" && found=1; } 2<&0
[[ $found ]] && escaped "stands in ${canary%/*}"
refused chdir
[[ -e $canary ]] && escaped "can see $canary"
refused stat
verdict
