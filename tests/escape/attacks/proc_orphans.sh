# class: processes
# what: leaves background jobs behind that ignore all signals (trap, disown) and ends at once
# outside: no_process_left
# include: attack.sh
for i in 1 2 3; do
    (
        trap '' HUP INT QUIT TERM USR1 USR2 PIPE TSTP TTIN TTOU
        exec 0<&- 1>&- 2>&-
        SECONDS=0
        while ((SECONDS < 8)); do :; done
    ) &
    disown
done 2<&0
contained "jobs left behind; judged from outside"
