"""The audit of the paper."""

from __future__ import annotations

import os
from collections import Counter
from html import escape
from pathlib import Path
from typing import Any, Dict, List, Union, cast

from . import _html, _rocproof
from ._answer import Answered
from ._progress import Progress, shown


def paper_models() -> List[str]:
    """The labels of the models of the paper's appendix, for ``Model.paper``."""
    return _rocproof.paper_models()


class Report(Answered):
    """The audit of the paper: every claim with its verdict."""

    def __init__(self, answer: _rocproof.Answer, folder: Path) -> None:
        super().__init__(answer)
        #: The folder of the report.
        self.folder = folder
        #: The page that shows it.
        self.page = folder / "index.html"

    @property
    def claims(self) -> List[Dict[str, Any]]:
        """The claims with their verdicts and evidence, followed by the repairs of those that are not right."""
        return cast(List[Dict[str, Any]], self.json["claims"])

    @property
    def findings(self) -> List[Dict[str, Any]]:
        """The claims that are not right, with what is true instead."""
        return cast(List[Dict[str, Any]], self.json["findings"])

    def _of_paper(self) -> List[Dict[str, Any]]:
        """The claims that are the paper's own, not repairs."""
        return [claim for claim in self.claims if claim["repairs"] is None]

    def __repr__(self) -> str:
        return f"<Report on the paper: {self.page}>"

    def _repr_html_(self) -> str:
        counts = Counter(claim["verdict"] for claim in self._of_paper())
        told = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
        rows = [[escape(str(found[key])) for key in ("id", "nature", "paper_says", "true_is")] for found in self.findings]
        return (
            f"<p>{len(self._of_paper())} claims: {escape(told)}. The report is in <code>{escape(str(self.page))}</code>.</p>"
            + _html.table(["finding", "nature", "the paper says", "true is"], rows)
        )


def reproduce(
    out: Union[str, os.PathLike[str]] = "report",
    time: float = 60,
    colour_blind_safe: bool = False,
    progress: Progress = None,
) -> Report:
    """Audits every claim of the paper, draws every figure, and writes the report to a folder.

    ``progress`` is whether to show progress (by default in notebooks and terminals), or a function that is called with the number of
    claims and then with the name of each claim that is finished. A folder that holds anything but an earlier report is refused.
    """
    with shown(progress, "claims") as report:
        return Report(_rocproof.reproduce(os.fspath(out), float(time), colour_blind_safe, report), Path(out))
