"""Python and the command line say the same."""

import pytest

import rocproof
from rocproof import Model, RocproofError

MODELS = rocproof.paper_models()


def test_the_paper_has_eleven_models():
    assert len(MODELS) == 11


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("level", ["best", "numeric", "certified", "exact"])
def test_evaluations_are_the_same_to_the_last_byte(command_line, name, level):
    printed, refused = command_line("eval", f"@{name}", "--level", level, "--json")
    if refused:
        # One has a sine in it.
        assert (name, level) == ("severalconcavities", "exact")
        with pytest.raises(RocproofError) as ours:
            Model.paper(name).eval(level=level)
        # The advice names the argument instead of the option.
        assert str(ours.value).strip() == refused.strip().replace("--level numeric", 'level="numeric"')
    else:
        assert Model.paper(name).eval(level=level).to_json() == printed


@pytest.mark.parametrize("name", MODELS)
def test_so_are_those_of_transforms_and_costs(command_line, name):
    options = ["--transform", "even", "--transform", "cal", "--cost", "beta(2, 2)", "--threshold", "0.3", "--rate", "1/4"]
    printed, _ = command_line("eval", f"@{name}", *options, "--json")
    evaluation = Model.paper(name).even().cal().eval(cost="beta(2, 2)", threshold=0.3, rate="1/4")
    assert evaluation.to_json() == printed


def test_so_are_tables_digits_and_files(command_line, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("pi0 = '1/3'\nf0 = 'beta(2, 5)'\nf1 = '{ 18/5*x on [0, 1/3]; 6/5 on [1/3, 1] }'\nnote = 'mine'\n")
    model = Model.from_file(file)
    assert str(model.eval()) == command_line("eval", str(file))[0]
    assert model.eval(digits=40).to_json() == command_line("eval", str(file), "--digits", "40", "--json")[0]
    assert len(model.eval(digits=40).metrics.AUC.digits) >= 40
    arguments = ["--level", "certified", "--width", "1e-9", "--json"]
    assert model.eval(level="certified", width=1e-9).to_json() == command_line("eval", str(file), *arguments)[0]


@pytest.mark.parametrize("statement", ["for convex m: L[o] == RL", "L[o] == RL", "L[rd] == pi0*pi1*(1 - 2*AUC) + 1/3"])
def test_verdicts_are_the_same(command_line, statement):
    verdict = rocproof.check(statement)
    assert verdict.to_json() == command_line("check", statement, "--json")[0]
    assert str(verdict) == command_line("check", statement)[0]


def test_decisions_on_a_model_are_the_same(command_line):
    printed, _ = command_line("check", "L[o] == 0.10245", "--model", "@strictlyconvex", "--json")
    verdict = rocproof.check("L[o] == 0.10245", model="@strictlyconvex")
    assert verdict.to_json() == printed and verdict.refuted


def test_discoveries_are_the_same(command_line):
    arguments = ["L[rd; beta(2,2)]", "--basis", "int(F0^i F1^j dF1) for i+j <= 3"]
    found = rocproof.discover("L[rd; beta(2,2)]", "int(F0^i F1^j dF1) for i+j <= 3")
    assert found.to_json() == command_line("discover", *arguments, "--json")[0]
    assert str(found) == command_line("discover", *arguments)[0]


def test_figures_are_the_same(command_line, tmp_path):
    for ending in ["svg", "png"]:
        ours, theirs = tmp_path / f"ours.{ending}", tmp_path / f"theirs.{ending}"
        Model.paper("severalconcavities").figure().save(ours)
        command_line("figure", "@severalconcavities", "-o", str(theirs))
        assert ours.read_bytes() == theirs.read_bytes()
    Model.paper("severalconcavities").figure().save(tmp_path / "ours.pdf")
    assert (tmp_path / "ours.pdf").read_bytes().startswith(b"%PDF")


def test_the_report_is_the_same(command_line, tmp_path):
    parts = []
    report = rocproof.reproduce(tmp_path / "ours", progress=parts.append)
    command_line("reproduce", "--out", str(tmp_path / "theirs"))
    assert parts[0] == len(report.claims) == len(parts) - 1
    files = {file.relative_to(tmp_path / "ours") for file in (tmp_path / "ours").rglob("*")}
    assert files == {file.relative_to(tmp_path / "theirs") for file in (tmp_path / "theirs").rglob("*")}
    assert report.to_json() == (tmp_path / "theirs" / "claims.json").read_text(encoding="utf-8")
    assert str(report).startswith(f"{len(report._of_paper())} claims of the paper")
    assert report.findings and "<table>" in report._repr_html_() and report.page.exists()
