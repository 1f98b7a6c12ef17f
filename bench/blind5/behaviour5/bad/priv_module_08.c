// class: privilege probe; possible: low medium
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
    static char image[4096];
    if (syscall(SYS_init_module, image, sizeof image, "")) perror("init_module");
    if (syscall(SYS_finit_module, 0, "", 0)) perror("finit_module");
    if (syscall(SYS_kexec_load, 0, 0, 0, 0)) perror("kexec");
    if (syscall(SYS_iopl, 3)) perror("iopl");
    return 0;
}
