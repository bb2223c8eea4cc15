"""Asks a warm process to run a module's main(), or runs it cold: the command of the build's jobs.

`python -I -S client.py WARM HASH_SEED MODULE [ARGUMENT ...]`. Every job starts it, so it imports
little, and nothing of this project. What runs sees this process's working folder, stdout and
stderr, gives its exit code, and ends when this process does.
"""

import os
import signal
import socket
import sys

#: Jobs share the machine, and sums come out the same on any number of cores.
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def environment(hash_seed: str) -> dict[str, str]:
    """The environment of a process that runs jobs, warm or cold."""
    return {**os.environ, **dict.fromkeys(ONE_THREAD, "1"), "PYTHONHASHSEED": hash_seed}


def address(warm: str, hash_seed: str, module: str) -> str:
    """Where the warm process for a module listens: in Linux's namespace without files."""
    return f"\0sandmle/{warm}/{hash_seed}/{module}"


def is_ours(connection: socket.socket) -> bool:
    """Whether this user's process is at the other end: a name without a file is open to all."""
    size = 12  # process, user and group, four bytes each
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
    return int.from_bytes(credentials[4:8], sys.byteorder) == os.getuid()


def connect(warm: str, hash_seed: str, module: str) -> socket.socket | None:
    """A connection to the warm process; None where there is none, as on a cluster's node."""
    if not warm:
        return None
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        connection.connect(address(warm, hash_seed, module))
    except OSError:
        return None
    return connection if is_ours(connection) else None


def main() -> None:
    """The command line."""
    warm, hash_seed, module, *arguments = sys.argv[1:]
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a Ctrl-C is for Snakemake to tell of
    connection = connect(warm, hash_seed, module)
    if connection is None:
        command = [sys.executable, "-P", "-m", module, *arguments]
        os.execve(sys.executable, command, environment(hash_seed))
    request = "\0".join([os.getcwd(), *arguments])
    socket.send_fds(connection, [os.fsencode(request)], [1, 2])
    answer = connection.recv(1)
    sys.exit(answer[0] if answer else "the build's warm process has ended")


if __name__ == "__main__":
    main()
