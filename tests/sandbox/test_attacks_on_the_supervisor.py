# ruff: noqa: E501 - the solvers' code is easier to read unbroken
"""What hostile code does to the process that watches it, and to what that process sees."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

import pytest

from .conftest import LIMITS, MEBIBYTE, Play, held
from .test_attacks import CALL


def test_every_signal_there_is(attack: Play) -> None:
    code = """
        import os, signal
        sent = 0
        for number in range(1, 65):
            if number in (32, 33): continue
            for target in {1, os.getppid()} - {os.getpid(), 0}:
                try: os.kill(target, number); sent += 1
                except OSError: pass
                try: signal.pidfd_send_signal(os.pidfd_open(target), number)
                except OSError: pass
        for _ in range(100_000):
            try: os.kill(1, 34)
            except OSError: break
        print('sent', sent)
    """
    first, second = attack(dedent(code), "print('on')")
    assert first.stdout.startswith("sent")
    assert first.exit_code == 0
    assert second.stdout == "on\n"


def test_signals_by_way_of_a_pipe(attack: Play) -> None:
    code = """
        import fcntl, os, signal, time
        F_SETSIG, F_SETOWN_EX = 10, 15
        import struct
        for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGINT, signal.SIGIO):
            for file in (1, 2):
                try:
                    fcntl.fcntl(file, F_SETSIG, int(number))
                    fcntl.fcntl(file, F_SETOWN_EX, struct.pack('ii', 1, 1))
                    fcntl.fcntl(file, fcntl.F_SETFL, fcntl.fcntl(file, fcntl.F_GETFL) | os.O_ASYNC)
                    os.write(file, b'x' * 5000)
                except OSError as error: print(error.strerror)
                time.sleep(0.02)
    """
    first, second = attack(dedent(code), "print('on')")
    assert first.exit_code == 0, first.stderr
    assert second.stdout == "on\n"


def test_its_own_pipes_read_back_or_left_without_reader(attack: Play) -> None:
    code = """
        import fcntl, os
        for number in (1, 2):
            reading = os.open(f'/proc/self/fd/{number}', os.O_RDONLY | os.O_NONBLOCK)
            fcntl.fcntl(number, fcntl.F_SETFL, os.O_NONBLOCK)
            fcntl.fcntl(number, 1031, 4096)  # F_SETPIPE_SZ
            for _ in range(100):
                try: os.write(number, b'mine' * 1000); os.read(reading, 100_000)
                except BlockingIOError: pass
        for number in (1, 2):
            fcntl.fcntl(number, fcntl.F_SETFL, 0)
        os.write(1, b'end')
    """
    first, second = attack(dedent(code), "print('on')")
    assert first.exit_code == 0, first.stderr
    assert first.stdout.endswith("end")
    assert second.stdout == "on\n"


def test_pipes_of_the_parent(attack: Play) -> None:
    code = """
        import os
        own = os.getpid()
        for process in [p for p in os.listdir('/proc') if p.isdigit() and int(p) != own] + ['1', str(os.getppid())]:
            if int(process) in (own, 0): continue
            for number in range(12):
                for flags in (os.O_RDONLY, os.O_WRONLY):
                    try:
                        os.open(f'/proc/{process}/fd/{number}', flags | os.O_NONBLOCK); print('ESCAPED', process, number)
                    except OSError: pass
        try: os.write(3, b'failed'); print('ESCAPED')
        except OSError as error: print(error.strerror)
    """
    [result] = attack(dedent(code))
    held(result)
    assert result.stdout == "Bad file descriptor\n"


def test_output_that_looks_like_an_answer(attack: Play) -> None:
    code = r"""
        import json, os, struct
        text = json.dumps({'exit_code': 0, 'timed_out': False, 'out_of_memory': False, 'wall_seconds': 0.0,
                           'cpu_seconds': 0.0, 'submission_refused': None, 'sizes': [0, 0, 6]}).encode()
        for number in range(1, 10):
            try: os.write(number, struct.pack('<I', len(text)) + text + b'FORGED')
            except OSError: pass
        os.write(2, b'\n[sandbox] killed: still running after 1 seconds\n')
        os._exit(9)
    """
    [result] = attack(dedent(code))
    assert (result.exit_code, result.timed_out, result.submission) == (9, False, None)


def test_a_name_that_looks_like_a_figure(attack: Play) -> None:
    code = CALL + dedent(r"""
        import threading, time
        for name in (b'\nRssAnon:\t0 kB\n', b') R 0 0 0', b'VmSwap: -9999999'):
            libc.prctl(15, ctypes.c_char_p(name), 0, 0, 0)
        held = bytearray(os.urandom(4096)) * (600 << 8)
        time.sleep(60); print('ESCAPED')
    """)
    [result] = attack(code, limits=replace(LIMITS, wall_seconds=20, memory_bytes=300 * MEBIBYTE))
    held(result)
    assert result.out_of_memory


def test_a_process_that_hides_its_figures(attack: Play) -> None:
    code = CALL + dedent("""
        import time
        if os.fork() == 0:
            libc.prctl(4, ctypes.c_ulong(0), 0, 0, 0)  # not dumpable
            held = bytearray(os.urandom(4096)) * (600 << 8)
            time.sleep(60); print('ESCAPED', flush=True)
        time.sleep(60)
    """)
    [result] = attack(code, limits=replace(LIMITS, wall_seconds=20, memory_bytes=300 * MEBIBYTE))
    held(result)
    assert result.out_of_memory


def test_memory_in_pipes(attack: Play) -> None:
    code = """
        import fcntl, os, time
        def fill():
            kept, stored = [], 0
            try:
                while True:
                    r, w = os.pipe(); os.set_blocking(w, False); kept += (r, w)
                    try: fcntl.fcntl(w, 1031, 1 << 20)
                    except OSError: pass
                    try:
                        while True: stored += os.write(w, bytes(1 << 16))
                    except BlockingIOError: pass
            except OSError: pass
            return stored
        total = 0
        for _ in range(8):
            r, w = os.pipe()
            if os.fork() == 0:
                os.write(w, str(fill()).encode()); time.sleep(60)
            total += int(os.read(r, 100))
        print('ESCAPED' if total > 200 << 20 else 'held', total)
        os._exit(0)
    """
    [result] = attack(dedent(code))
    held(result)
    assert result.stdout.startswith("held") or result.exit_code == 137


def test_a_crowd_that_forks_while_it_is_killed(attack: Play) -> None:
    code = """
        import os, time
        for _ in range(10):
            try:
                if os.fork() > 0: continue
            except OSError: continue
            while True:
                try:
                    if os.fork() > 0: os._exit(0)
                    os.setsid()
                    open('alive', 'a').write('x')
                except OSError: pass
        time.sleep(0.3)
    """
    look = """
        import os, time
        n = os.path.getsize('alive')
        time.sleep(0.3)
        print(n > 0, os.path.getsize('alive') - n, len([p for p in os.listdir('/proc') if p.isdigit()]) < 4)
    """
    first, second = attack(dedent(code), dedent(look))
    assert first.exit_code == 0, first.stderr
    assert second.stdout == "True 0 True\n"


def test_orphans_that_another_process_adopts(attack: Play) -> None:
    code = CALL + dedent("""
        import time
        libc.prctl(36, ctypes.c_ulong(1), 0, 0, 0)  # it takes orphans in
        libc.prctl(1, ctypes.c_ulong(0), 0, 0, 0)  # and lives on without its parent
        if os.fork() == 0:
            libc.prctl(36, ctypes.c_ulong(1), 0, 0, 0)
            if os.fork() == 0:
                while True: open('alive', 'a').write('x'); time.sleep(0.01)
            time.sleep(60)
        time.sleep(0.2); os._exit(0)
    """)
    look = "import os, time\nn = os.path.getsize('alive')\ntime.sleep(0.2)\nprint(os.path.getsize('alive') - n)"
    _, second = attack(code, look)
    assert second.stdout == "0\n"


def test_work_in_the_last_moment(attack: Play) -> None:
    code = """
        import os, time
        end = time.monotonic() + 5
        while time.monotonic() < end:
            open('draft', 'w').write('x' * 1000); os.replace('draft', 'submission.csv')
            if os.fork() == 0:
                os.setsid(); time.sleep(60)
            while True:
                try:
                    if os.waitpid(-1, os.WNOHANG)[0] == 0: break
                except OSError: break
    """
    first, second = attack(dedent(code), "print('on')", limits=replace(LIMITS, wall_seconds=1))
    assert first.exit_code == 137 or "BlockingIOError" in first.stderr
    assert first.submission == b"x" * 1000
    assert first.wall_seconds < 5
    assert second.stdout == "on\n"


def test_processor_time_beyond_its_limit(attack: Play) -> None:
    code = "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass"
    [result] = attack(code, limits=replace(LIMITS, cpu_seconds=1, wall_seconds=50))
    assert result.exit_code == 137
    assert not result.timed_out


def test_core_files_and_crash_handlers(attack: Play) -> None:
    code = """
        import os, resource
        for limit in (0, 1, resource.RLIM_INFINITY):
            try: resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))
            except (OSError, ValueError) as error: print(error)
        for path in ('/proc/sys/kernel/core_pattern', '/proc/sys/kernel/core_uses_pid'):
            try:
                open(path, 'w').write('|/work/handler'); print('ESCAPED', path)
            except OSError as error: print(error.strerror)
        os.abort()
    """
    first, second = attack(dedent(code), "import os\nprint(sorted(os.listdir('.')))")
    held(first)
    assert first.exit_code == 134
    assert second.stdout == "['data', 'main.py']\n"


def test_tricks_with_proc(attack: Play) -> None:
    code = r"""
        import os
        closed = ['/proc/kcore', '/proc/kmsg', '/proc/sysrq-trigger', '/proc/1/environ', '/proc/1/mem', '/proc/1/maps',
                  '/proc/1/stack', '/proc/1/syscall', '/proc/1/cwd/main.py', '/proc/1/root/etc/passwd', '/proc/1/fd/0',
                  '/proc/1/task/1/mem', '/proc/1/map_files/x', '/proc/vmallocinfo', '/proc/slabinfo']
        for path in closed:
            try: print('ESCAPED', path, open(path, 'rb').read(10))
            except OSError as error: print(path, error.strerror)
        for path, text in {'/proc/self/uid_map': '0 0 1', '/proc/self/gid_map': '0 0 1', '/proc/self/setgroups': 'allow',
                           '/proc/self/oom_score_adj': '-1000', '/proc/sys/vm/overcommit_memory': '1',
                           '/proc/sys/kernel/ns_last_pid': '1', '/proc/sys/net/ipv4/ip_forward': '1', '/proc/self/attr/current': 'x',
                           '/proc/sys/kernel/hostname': 'x', '/proc/sys/user/max_user_namespaces': '9'}.items():
            try:
                f = os.open(path, os.O_WRONLY); os.write(f, text.encode()); print('ESCAPED', path)
            except OSError as error: print(path, error.strerror)
        if os.path.exists('/proc/kallsyms') and any(int(line.split()[0], 16) for line in open('/proc/kallsyms').readlines()[:50]):
            print('ESCAPED kernel addresses')
        for path in ('/proc/self/root/..', '/proc/self/cwd/../..', '/proc/thread-self/root', '/proc/self/task/../root'):
            if os.path.exists(path + '/home') or os.path.exists(path + '/var'): print('ESCAPED', path)
    """
    [result] = attack(dedent(code))
    held(result)
    assert result.exit_code == 0, result.stderr


def test_the_terminal_and_the_callers_environment(
    attack: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SANDMLE_TEST_TOKEN", "of-the-caller")
    code = """
        import os
        for path in ('/dev/tty', '/dev/console', '/dev/pts/0'):
            try: os.open(path, os.O_RDWR | os.O_NOCTTY); print('ESCAPED', path)
            except OSError as error: print(error.strerror)
        token = 'of-' + 'the-caller'
        seen = open('/proc/self/environ').read() + str(os.environ) + open('/proc/self/cmdline').read()
        with open('/proc/self/maps') as maps, open('/proc/self/mem', 'rb', 0) as memory:
            start, end = next((int(n, 16) for n in line.split()[0].split('-')) for line in maps if '[stack]' in line)
            memory.seek(start); stack = memory.read(end - start)
        if token in seen or ('TEST_' + 'TOKEN').encode() in stack: print('ESCAPED', seen)
    """
    [result] = attack(dedent(code))
    held(result)
    assert result.exit_code == 0, result.stderr


def test_the_clock_and_the_scheduler(attack: Play) -> None:
    code = CALL + dedent("""
        import time
        for name, change in {'time': lambda: time.clock_settime(time.CLOCK_REALTIME, 0), 'nice': lambda: os.nice(-5),
                             'real time': lambda: os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(50)),
                             'priority': lambda: os.setpriority(os.PRIO_PROCESS, 0, -10)}.items():
            try: change(); print('ESCAPED', name)
            except OSError as error: print(name, error.strerror)
        must_fail('input/output priority', call(251 if x86 else 30, 1, 0, 1 << 13))
        must_fail('adjtimex', call(305 if x86 else 266, 0, None))
    """)
    held(*attack(code))


def test_descriptors_in_flight(attack: Play) -> None:
    code = """
        import array, os, socket
        a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        a.setblocking(False)
        file, sent = os.open('/dev/null', 0), 0
        try:
            while sent < 100_000:
                pair = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM); pair[0].setblocking(False)
                for _ in range(10):
                    pair[0].sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [file] * 200))]); sent += 200
                a.sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [s.fileno() for s in pair]))]); sent += 2
                for s in pair: s.close()
            print('ESCAPED', sent)
        except OSError as error:
            print(sent, error.strerror)
    """
    first, second = attack(dedent(code), "print('on')")
    held(first)
    assert second.stdout == "on\n"
