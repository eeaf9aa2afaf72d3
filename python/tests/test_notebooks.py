"""Notebooks run from top to bottom, and are stored with what they show."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def plain(notebook):
    """The plain-text results of cells. Printed output and pages may contain times and progress, and are not compared."""
    cells = (cell for cell in notebook.cells if cell.cell_type == "code")
    shown = [[output["data"]["text/plain"] for output in cell.outputs if "data" in output] for cell in cells]
    return [[text for text in texts if not text.startswith("<IPython")] for texts in shown]


def test_there_are_three_stories():
    assert len(NOTEBOOKS) == 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_is_stored(path, tmp_path):
    stored = nbformat.read(path, as_version=4)
    fresh = nbformat.read(path, as_version=4)
    # Files go to a temporary folder.
    NotebookClient(fresh, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert plain(fresh) == plain(stored) and any(plain(stored))
