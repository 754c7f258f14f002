"""While questions are answered, the threads of OpenBLAS rest, and nothing looks for garbage."""

import gc
import os
import subprocess
import sys

import pytest

from neural_enquirer.prediction.predictors import OpenPredictor
from neural_enquirer.runtime import undisturbed


@pytest.fixture
def threads(monkeypatch):
    """The number of threads, of which there are 4 at first."""
    threads = [4]
    functions = (lambda: threads[-1]), threads.append
    monkeypatch.setattr(undisturbed, "_functions", lambda: functions)
    return threads


def test_there_is_one_thread_until_the_last_who_needs_it_leaves(threads):
    first, second = undisturbed.undisturbed(), undisturbed.undisturbed()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert threads[-1] == 1
    assert not gc.isenabled()
    second.__exit__(None, None, None)
    assert threads[-1] == 4
    assert gc.isenabled()


def test_threads_come_back_after_an_error(threads):
    with pytest.raises(ValueError, match="wrong"), undisturbed.undisturbed():
        raise ValueError("wrong")
    assert threads[-1] == 4
    assert gc.isenabled()


def test_a_collector_that_rested_before_rests_on(threads):
    gc.disable()
    try:
        with undisturbed.undisturbed():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.parametrize("name", ["judge", "evidence", "predict"])
def test_questions_are_answered_on_one_core(threads, name):
    def asked():
        assert threads[-1] == 1
        yield from ()

    predictor = OpenPredictor.__new__(OpenPredictor)
    predictor._evidence = lambda questions: questions
    assert getattr(predictor, name)(asked()) == []
    assert threads == [4, 1, 4]


def test_the_threads_of_this_numpy_are_known():
    script = """
import numpy
from neural_enquirer.runtime import undisturbed
tell, _ = undisturbed._functions()
name = numpy.show_config("dicts")["Build Dependencies"]["blas"]["name"]
is_known = name != "scipy-openblas" or tell() == 2
with undisturbed.undisturbed():
    print(is_known, tell())
"""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "2"}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment)
    assert done.stdout == "True 1\n", done.stderr
