# ruff: noqa: E501 - the solvers' code is easier to read unbroken
"""What the code of one rollout does to another that runs beside it."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

from sandmle.sandbox import Limits, StepResult, open_sandbox

from .conftest import LIMITS, MEBIBYTE, Call, Play, held


def side_by_side(
    backend: str, public: Path, attacker: str, victim: str, limits: Limits = LIMITS
) -> tuple[StepResult, StepResult]:
    """Runs the victim's step half a second after the attacker's began."""

    async def play() -> tuple[StepResult, StepResult]:
        one, other = [await open_sandbox(public, backend=backend) for _ in range(2)]
        await asyncio.gather(one.run("", LIMITS), other.run("", LIMITS))
        attacking = asyncio.create_task(one.run(dedent(attacker), limits))
        await asyncio.sleep(0.5)
        found = await other.run(dedent(victim), LIMITS)
        attacked = await attacking
        await asyncio.gather(one.close(), other.close())
        return attacked, found

    return asyncio.run(play())


def test_processes_used_up(public: Path, call: Call) -> None:
    attacker = """
        import os, time
        while True:
            try:
                if os.fork() == 0: time.sleep(60)
            except OSError: time.sleep(0.01)
    """
    victim = """
        import os
        for _ in range(20):
            if os.fork() == 0: os._exit(0)
        for _ in range(20): os.wait()
        print('forked')
    """
    limits = replace(LIMITS, wall_seconds=3, memory_bytes=4096 * MEBIBYTE)
    attacked, found = call(side_by_side, public, attacker, victim, limits)
    assert found.stdout == "forked\n", found.stderr
    assert attacked.timed_out or attacked.out_of_memory


def test_sockets_and_shared_memory(public: Path, call: Call) -> None:
    attacker = """
        import socket, time
        from multiprocessing import shared_memory
        kept = [socket.create_server(('127.0.0.1', 5000)), socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)]
        kept[1].bind('\\0rollout'); kept[1].listen(); kept[2].bind('/tmp/rollout'); kept[2].listen()
        memory = shared_memory.SharedMemory('rollout', create=True, size=100)
        open('/dev/shm/plain', 'w').write('x')
        time.sleep(1.5)
    """
    victim = """
        import os, socket
        for family, address in ((2, ('127.0.0.1', 5000)), (1, '\\0rollout'), (1, '/tmp/rollout')):
            try: socket.socket(family).connect(address); print('ESCAPED', address)
            except OSError as error: print(error.strerror)
        if os.listdir('/dev/shm') or os.listdir('/tmp'): print('ESCAPED', os.listdir('/dev/shm'))
        if any('rollout' in line for line in open('/proc/net/unix')): print('ESCAPED unix')
    """
    attacked, found = call(side_by_side, public, attacker, victim)
    assert attacked.exit_code == 0, attacked.stderr
    held(found)


def test_killing_and_watching_the_other(public: Path, call: Call) -> None:
    attacker = """
        import os, signal, time
        end = time.monotonic() + 2
        while time.monotonic() < end:
            for process in range(2, 400):
                if process != os.getpid():
                    try: os.kill(process, signal.SIGKILL); print('ESCAPED', process)
                    except OSError: pass
            try: os.kill(-1, 0)
            except OSError: pass
            time.sleep(0.05)
    """
    victim = "import os, time\ntime.sleep(1)\nprint('whole', len([p for p in os.listdir('/proc') if p.isdigit()]) <= 2)"
    attacked, found = call(side_by_side, public, attacker, victim)
    held(attacked)
    assert found.stdout == "whole True\n"


def test_the_disk_of_the_other(public: Path, call: Call) -> None:
    attacker = """
        import time
        for folder in ('/work', '/tmp', '/dev/shm'):
            try:
                for number in range(30):
                    with open(f'{folder}/{number}', 'wb') as f: f.write(bytes(15 << 20))
            except OSError as error: print(error.strerror)
        time.sleep(1.5)
    """
    victim = "open('/work/own', 'wb').write(bytes(10 << 20))\nopen('/tmp/own', 'wb').write(bytes(10 << 20))\nprint('written')"
    limits = replace(LIMITS, memory_bytes=2048 * MEBIBYTE)
    _, found = call(side_by_side, public, attacker, victim, limits)
    assert found.stdout == "written\n", found.stderr


def test_a_socket_left_behind_for_the_next_step(attack: Play) -> None:
    leave = """
        import os, socket, time
        s = socket.socket(1); s.bind('left'); s.listen()
        if os.fork() == 0:
            os.setsid(); time.sleep(60)
        os._exit(0)
    """
    look = """
        import os, socket
        print(os.path.exists('left'))
        try: socket.socket(1).connect('left'); print('ESCAPED')
        except OSError as error: print(error.strerror)
    """
    _, found = attack(dedent(leave), dedent(look))
    assert found.stdout == "True\nConnection refused\n"
