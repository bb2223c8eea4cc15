# ruff: noqa: E501 - the solvers' code is easier to read unbroken
"""What hostile code does to the folders that outlive a step, and to what it hands in."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

import pytest

from .conftest import LIMITS, Play, held


def test_the_working_folder_swapped_for_a_link(attack: Play) -> None:
    code = """
        import os
        os.mkdir('/tmp/other')
        for swap in (lambda: os.rename('/work', '/tmp/work'), lambda: os.rmdir('/work'), lambda: os.unlink('/work'),
                     lambda: os.rename('/tmp', '/work/tmp'), lambda: os.rename('/data', '/work/data2'),
                     lambda: os.symlink('/tmp/other', '/work2'), lambda: os.rename('/tmp/other', '/work')):
            try:
                swap(); print('ESCAPED')
            except OSError as error:
                print(error.strerror)
    """
    first, second = attack(dedent(code), "import os\nprint(os.getcwd(), os.listdir('/tmp'))")
    held(first)
    assert second.stdout == "/work []\n"


def test_the_data_link_turned_elsewhere(attack: Play) -> None:
    turn = "import os\nos.remove('data')\nos.symlink('/etc', 'data')"
    code = "import os\nprint(open('/data/train.csv').readline().strip(), os.readlink('data'))"
    _, second = attack(turn, code)
    assert second.stdout == "id,x,target /etc\n"  # its own affair: /data is what it was


def test_a_cleaned_folder_with_links_out_of_it(attack: Play) -> None:
    code = """
        import os
        open('kept', 'w').write('kept')
        os.mkdir('below'); open('below/kept', 'w').write('kept')
        for folder in ('/tmp', '/dev/shm'):
            os.symlink('/work', folder + '/all'); os.symlink('/work/kept', folder + '/one')
            os.mkdir(folder + '/deep'); os.symlink('/work/below', folder + '/deep/link')
            os.symlink('loop', folder + '/loop')
    """
    look = "import os\nprint(open('kept').read(), open('below/kept').read(), os.listdir('/tmp'), os.listdir('/dev/shm'))"
    _, second = attack(dedent(code), look)
    assert second.stdout == "kept kept [] []\n"


def test_file_names_that_no_program_expects(attack: Play) -> None:
    code = r"""
        import os
        names = [b'\xff\xfe', b'new\nline', b'-rf', b' ', b'\x1b[2J', 'größe-数'.encode(), b'x' * 255, b'\xed\xa0\x80',
                 '\u202egnp.csv'.encode(), b"'; rm -rf ~; '", b'*', b'submission.csv ', b'...']
        for folder in (b'/work/', b'/tmp/', b'/dev/shm/'):
            for name in names:
                os.mkdir(folder + name); open(folder + name + b'/' + name, 'w').close()
        open('submission.csv', 'w').write('x')
        print(len(names))
    """
    look = "import os\nprint(len(os.listdir(b'/work')), os.listdir('/tmp'), os.listdir('/dev/shm'))"
    first, second = attack(dedent(code), look)
    assert first.submission == b"x", first.stderr
    assert second.stdout == f"{int(first.stdout) + 3} [] []\n"


def test_a_deep_tree_in_the_working_folder(attack: Play) -> None:
    code = """
        import os
        for _ in range(400):
            os.mkdir('d' * 200); os.chdir('d' * 200)
        print('deep')
    """
    clean = """
        import os
        print(sorted(os.listdir('.'))[0])
        import shutil; shutil.rmtree('d' * 200, ignore_errors=True)
        print('on')
    """
    first, second = attack(dedent(code), dedent(clean))
    assert first.stdout == "deep\n", first.stderr
    assert second.stdout.startswith("data\n")


def test_files_that_cannot_be_changed(attack: Play) -> None:
    code = """
        import fcntl, os, struct
        open('/tmp/stays', 'w').close()
        open('submission.csv', 'w').write('x')
        for path in ('main.py', '/tmp/stays', '/work', '/tmp', 'submission.csv'):
            for flags in (0x10, 0x20, 0x30):  # immutable, append-only, both
                f = os.open(path, os.O_RDONLY)
                try:
                    fcntl.ioctl(f, 0x40086602, struct.pack('l', flags)); print('ESCAPED', path)
                except OSError as error:
                    print(error.strerror)
    """
    first, second = attack(dedent(code), "import os\nprint('on', os.listdir('/tmp'))")
    held(first)
    assert first.submission == b"x"
    assert second.stdout == "on []\n"


def test_a_lock_and_a_lease_on_the_submission(attack: Play) -> None:
    code = """
        import fcntl, os
        f = open('submission.csv', 'w'); f.write('mine'); f.flush()
        fcntl.flock(f, fcntl.LOCK_EX)
        g = os.open('submission.csv', os.O_RDONLY)
        try: fcntl.fcntl(g, 1024, fcntl.F_RDLCK)
        except OSError: pass
        fcntl.lockf(f, fcntl.LOCK_EX)
        if os.fork() == 0:
            import time; time.sleep(60)
        os._exit(0)
    """
    [result] = attack(dedent(code))
    assert result.submission == b"mine"
    assert result.wall_seconds < 10


def test_a_submission_written_to_by_what_outlives_the_program(attack: Play) -> None:
    code = """
        import mmap, os
        f = open('submission.csv', 'w+b'); f.truncate(4096)
        for _ in range(5):
            if os.fork() == 0:
                os.setsid()
                view = mmap.mmap(f.fileno(), 4096); n = 0
                while True:
                    n += 1; view[:8] = n.to_bytes(8, 'little')
                    os.lseek(f.fileno(), 0, 2) < 900_000 and os.write(f.fileno(), b'more')
        import time; time.sleep(0.2)
    """
    first, second = attack(dedent(code), "import time\ntime.sleep(0.2)")
    assert first.submission is not None
    assert first.submission == second.submission  # nothing has written since it was read


def test_a_submission_without_permissions(attack: Play) -> None:
    code = "import os\nopen('submission.csv', 'w').write('x')\nos.chmod('submission.csv', 0)"
    [result] = attack(code)
    assert result.submission is None
    assert result.submission_refused == "cannot be read: Permission denied"


def test_hard_links_and_nameless_files(attack: Play) -> None:
    code = """
        import os
        for source in ('/data/train.csv', '/etc/passwd', '/usr/bin/env'):
            try:
                os.link(source, 'submission.csv'); print('ESCAPED', source)
            except OSError as error:
                print(error.strerror)
        f = os.open('/work', os.O_TMPFILE | os.O_RDWR); os.write(f, b'nameless')
        try: os.link(f'/proc/self/fd/{f}', 'submission.csv', follow_symlinks=True)
        except OSError: open('submission.csv', 'w').write('nameless')
    """
    [result] = attack(dedent(code))
    held(result)
    assert result.submission == b"nameless", result.stderr


def test_memory_in_attributes_of_files(attack: Play) -> None:
    code = """
        import os
        stored = 0
        for folder in ('/work', '/tmp', '/dev/shm'):
            for number in range(400):
                path = f'{folder}/attributes-{number}'
                try:
                    open(path, 'w').close()
                    for n in range(40):
                        os.setxattr(path, f'user.{n}', bytes(60_000)); stored += 60_000
                except OSError: pass
        print('ESCAPED' if stored > 100 << 20 else 'held', stored)
    """
    [result] = attack(dedent(code))
    held(result)


def test_programs_that_would_run_as_another_user(attack: Play) -> None:
    code = """
        import os, shutil, stat, subprocess
        before = os.getresuid()
        for folder in ('/work', '/tmp'):
            path = folder + '/other'
            shutil.copy('/usr/bin/env', path); os.chmod(path, 0o6755)
            try: os.chown(path, 0, 0); print('ESCAPED')
            except OSError as error: print(error.strerror)
            found = subprocess.run([path, 'sh', '-c', 'grep -E "^(Uid|Gid)" /proc/self/status'], capture_output=True, text=True)
            if any(int(n) != before[0] for n in found.stdout.split() if n.isdigit()): print('ESCAPED', found.stdout)
    """
    held(*attack(dedent(code)))


def test_modules_that_the_supervisor_might_import(attack: Play) -> None:
    code = """
        import sys
        for name in sys.stdlib_module_names:
            if '.' not in name and name != '__main__':
                open(name + '.py', 'w').write("open('/work/caught', 'a').write(__name__ + ' ')\\nraise ImportError('no')")
    """
    look = "print('looked')\ntry:\n    print('ESCAPED', open('/work/caught').read())\nexcept FileNotFoundError:\n    pass"
    first, second, third = attack(
        dedent(code), "while True: pass", look, limits=replace(LIMITS, wall_seconds=3)
    )
    assert first.exit_code == 0, first.stderr
    assert second.timed_out
    assert third.stdout == "looked\n"


@pytest.mark.parametrize("name", ["wide", "long"])
def test_arguments_without_end(attack: Play, name: str) -> None:
    arguments = {"wide": "['x' * 100] * 10_000", "long": "['x' * 131_000] * 7"}[name]
    code = f"""
        import os, subprocess, sys
        many = {arguments}
        try:
            subprocess.Popen([sys.executable, '-S', '-c', 'import time; time.sleep(60)', *many])
        except OSError as error:
            print(error.strerror)
        os.execv(sys.executable, ['python', '-S', '-c', 'print("run")', *many])
    """
    first, second = attack(dedent(code), "print('on')")
    assert first.stdout.endswith("run\n") or "too long" in first.stderr
    assert second.stdout == "on\n"
