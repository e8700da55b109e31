"""The house itself: layers, types, style, what the wheel holds, what the README promises."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*words):
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_imports_never_point_back_up_the_line():
    run("-c", "import sys; from importlinter.cli import lint_imports_command as c; c()")


@pytest.mark.slow
def test_types():
    run("-m", "mypy")


def test_style():
    run("-m", "ruff", "check", ".")
    run("-m", "ruff", "format", "--check", ".")


@pytest.mark.parametrize("package", ["tarot_env", "tarot_env.envs.tarot_v0", "agents.registry"])
def test_the_game_comes_without_torch(package):
    run("-c", f"import sys, {package}; assert 'torch' not in sys.modules")


@pytest.mark.slow
def test_the_wheel_holds_three_packages_and_their_types(tmp_path):
    run("-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", str(tmp_path), ".")
    (wheel,) = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"tarot_env", "agents", "training"}
    for package in tops:
        assert f"{package}/py.typed" in names
    assert "agents/heuristic/estimates.toml" in names
    assert "tarot_env/RULES.md" in names


def test_ci_runs_the_readmes_test_line():
    readme = (ROOT / "README.md").read_text()
    lines = re.findall(r"^python3 -m venv .*$", readme, re.MULTILINE)
    assert len(lines) == 2
    assert "tarot train configs/quickstart.toml" in lines[0]
    assert "pytest" in lines[1]


def test_top_level_holds_what_it_should():
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    tops = {name.split("/")[0] for name in tracked}
    assert {top for top in tops if not top.startswith(".")} <= {
        "CONTRIBUTING.md",
        "LICENSE",
        "README.md",
        "agents",
        "configs",
        "notebooks",
        "pyproject.toml",
        "tarot_env",
        "tests",
        "training",
    }


@pytest.mark.parametrize("path", sorted((ROOT / "configs").glob("*.toml")), ids=lambda p: p.name)
def test_every_config_loads_and_says_what_it_shows(path):
    from training.selfplay.config import load_config

    assert path.read_text().startswith("# ")
    load_config(path)


def test_the_reference_page_is_that_of_the_code():
    from tarot_env.docs import page

    written = (ROOT / "tarot_env" / "README.md").read_text(encoding="utf-8")
    assert written == page(), "run: python -m tarot_env.docs"


@pytest.mark.parametrize("number", range(4))
def test_the_readmes_code_runs(number, capsys):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    assert len(blocks) == 4
    names: dict[str, object] = {}
    exec(compile(blocks[number], f"README block {number}", "exec"), names)
    assert capsys.readouterr().out or "Boldest" in names


def test_the_readmes_bot_keeps_the_contract():
    from tarot_env.testing import check_agent

    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)[-1]
    names: dict[str, object] = {}
    exec(compile(block, "README bot", "exec"), names)
    check_agent(names["Boldest"](), deals=16)
