/* watch_bits.h - what a run is watched for: chosen from the profile when its policy is compiled, told to the filter's
 * compiler, to the launcher and to the broker.
 */
#pragma once

enum notify_watch {
    NOTIFY_EXEC = 1,      /* executed programs with their arguments */
    NOTIFY_STDIO = 2,     /* and what their standard streams are */
    NOTIFY_CALLS = 4,     /* the refused and the privilege surface */
    NOTIFY_SOCKETS = 8,   /* sockets where there is no network */
    NOTIFY_FILES = 16,    /* files opened for writing */
    NOTIFY_SAMPLES = 32,  /* CPU, memory, pids ten times a second */
    NOTIFY_BRIDGE = 64,   /* network calls go to the broker */
    NOTIFY_FORKS = 128,   /* new processes: execution.max_processes, and their rate */
    NOTIFY_WORDS = 256,   /* words of mining protocols in the memory of who has a connection */
    NOTIFY_VOLUMES = 512, /* connects, where volumes are mounted: their AF_UNIX sockets are of the host */
    NOTIFY_LEVERS = 1024, /* of files opened for writing only those that would give privileges (base/lever.h) */
    NOTIFY_ALL = 2047,
};
/* Those for which the filter has to ask. */
#define NOTIFY_BY_FILTER (NOTIFY_ALL & ~(NOTIFY_STDIO | NOTIFY_SAMPLES | NOTIFY_WORDS))

/* What a forked interpreter ends with (src/fork): exit code 0. The supervisor is asked, and may answer its client
 * before the kernel has taken down what the program was (launch/notify.c). A parked node asks by kill(EXIT_LAST, 0)
 * (guards/node_guard.js), a process that cannot be: where it is not ended by that, it ends by itself. */
#define EXIT_LAST 0x53410000u
