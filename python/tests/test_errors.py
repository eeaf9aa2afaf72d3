"""Errors are exceptions that show the place; nothing of Rust's reaches the user; threads and Ctrl-C."""

import pickle
import signal
import subprocess
import sys
import threading
import time

import pytest

import rocproof
from rocproof import Model, RocproofError, _rocproof


@pytest.mark.parametrize(
    "f0, f1, pi0",
    [
        ("bata(2, 5)", "2*x", "1/2"),
        ("2*(1-x", "2*x", "1/2"),
        ("2*x", "3*x", "1/2"),
        ("2*x", "2*x", "3/2"),
        ("2*x", "", "1/2"),
        ("2*x", "π*y", "1/2"),
    ],
)
def test_the_place_is_underlined_as_on_the_command_line(command_line, f0, f1, pi0):
    _, printed = command_line("eval", "--f0", f0, "--f1", f1, "--pi0", pi0)
    with pytest.raises(RocproofError) as refused:
        Model(f0, f1, pi0=pi0)
    told = str(refused.value).strip()
    # Options have dashes there.
    for name in ["f0", "f1", "pi0"]:
        printed = printed.replace(f"--{name}:", f"{name}:")
    assert type(refused.value).__module__ == 'rocproof'
    assert told == printed.strip() and "|" in told
    assert refused.value.message in told
    assert isinstance(refused.value, ValueError)
    again = pickle.loads(pickle.dumps(refused.value))
    assert (str(again), again.message, again.help) == (str(refused.value), refused.value.message, refused.value.help)


@pytest.mark.parametrize(
    "asked, message",
    [
        (lambda: Model.paper("strictlyconvx"), "did you mean @strictlyconvex"),
        (lambda: Model("2*x", "2*x").eval(level="bset"), "there is no level `bset`"),
        (lambda: Model("2*x", "2*x").eval(cost="beta(2)"), "beta"),
        (lambda: Model("2*x", "2*x").eval(rate="3/2"), "a rate lies between 0 and 1"),
        (lambda: Model("2*x", "2*x").eval(digits=0), "digits is 0"),
        (lambda: Model("2*x", "2*x").eval(width="1e-9"), 'width= belongs to level="certified"'),
        (lambda: Model("beta(2.5, 1)", "2*x").eval(level="exact"), "no exact level"),
        (lambda: Model("2*x", "2*x", "1e-20").eval(level="numeric"), "too close to 0"),
        (lambda: rocproof.check("L[oo] == RL"), "oo"),
        (lambda: rocproof.check("L[o] == RL", over="covnex"), "did you mean `convex`"),
        (lambda: rocproof.check("for m, n: AUC(m) <= AUC(n)", model="@diagonal"), "2 models are needed"),
        (lambda: rocproof.check("L[o] == RL", time=-1), "seconds above 0"),
        (lambda: rocproof.discover("AUC, BS", "AUC"), "one target is needed"),
        (lambda: rocproof.verify("{ no"), "is not JSON"),
        (lambda: rocproof.verify(rocproof.check("L[o] == RL")), "no proof to verify"),
        (lambda: Model.paper("diagonal").figure().save("figure.gif"), ".svg, .png or .pdf"),
    ],
)
def test_bad_input_is_told(asked, message):
    with pytest.raises(RocproofError) as refused:
        asked()
    assert message in str(refused.value)


def test_files_that_are_not_there_are_errors_of_the_system(tmp_path):
    with pytest.raises(FileNotFoundError):
        Model.from_file(tmp_path / "none.toml")
    with pytest.raises(OSError):
        Model.paper("diagonal").figure().save(tmp_path / "none" / "figure.svg")
    (tmp_path / "bad.toml").write_text("f0 = 'x'\n")
    with pytest.raises(RocproofError, match="this is not a model file"):
        Model.from_file(tmp_path / "bad.toml")


def test_a_folder_with_other_things_is_not_replaced(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(RocproofError, match="cannot write the report to"):
        rocproof.reproduce(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("on_thread", [False, True])
def test_panics_are_exceptions(capfd, on_thread):
    with pytest.raises(RuntimeError, match="a bug in it: on purpose"):
        _rocproof._panics(on_thread, "on purpose")
    assert capfd.readouterr().err == ""
    assert Model("2*(1-x)", "2*x").eval().AUC > 0


def test_deep_nesting_is_an_error_and_no_crash():
    program = "import rocproof\ntry: rocproof.Model('(' * 200000 + 'x' + ')' * 200000, '2*x')\nexcept ValueError: print('told')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "told\n"), done.stderr


def test_threads_work_side_by_side():
    names = rocproof.paper_models()
    expected = {name: Model.paper(name).eval().to_json() for name in names}
    found = {}

    def work(name):
        for _ in range(5):
            found[name] = Model.paper(name).eval().to_json()

    threads = [threading.Thread(target=work, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


#: About two models: nothing is proved of that, and nothing found against it, so that all the work is done that a verdict is worth.
OPEN = "for m, n: AUC(m) >= AUC(n) implies L[rd](m) <= L[rd](n)"


def test_python_goes_on_while_work_is_done():
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.wait(0.01):
            ticks.append(time.monotonic())

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    rocproof.check(OPEN, time=2)
    took = time.monotonic() - start
    stop.set()
    thread.join()
    # Without the lock released there would be none.
    assert len(ticks) > took / 0.01 / 10


def test_control_c_stops_a_long_call():
    program = f"import rocproof\nprint('ready', flush=True)\nwhile True:\n    rocproof.check({OPEN!r}, time=600)"
    running = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert running.stdout.readline() == "ready\n"
    time.sleep(0.5)
    start = time.monotonic()
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=20)
    assert "KeyboardInterrupt" in errors and time.monotonic() - start < 5


def test_a_report_that_is_stopped_leaves_nothing(tmp_path):
    def interrupted(told):
        if isinstance(told, str):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rocproof.reproduce(tmp_path / "report", progress=interrupted)
    assert list(tmp_path.iterdir()) == []
