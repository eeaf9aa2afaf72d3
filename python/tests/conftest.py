"""Shared fixtures."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def command_line():
    """Runs the command line; what it printed, and what it printed as errors."""
    program = os.environ.get("ROCPROOF", str(ROOT / "target" / "release" / "rocproof"))

    def run(*arguments):
        done = subprocess.run([program, *arguments], capture_output=True, text=True, encoding="utf-8")
        return done.stdout, done.stderr

    return run
