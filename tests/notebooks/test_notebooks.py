"""Every notebook runs from top to bottom, on fewer games, in a folder of its own; the long tests use a real kernel."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import matplotlib
import pytest

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
FEW = 120
"""Games of a cell: enough for every line of a notebook to run."""


def cells_of(path: Path) -> list[dict[str, Any]]:
    return list(json.loads(path.read_text(encoding="utf-8"))["cells"])


@pytest.mark.compiled
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cells_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sim

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    run = sim.run

    def small(experiment: Mapping[str, Any], out: str) -> Path:
        few: dict[str, Any] = {**experiment}
        if "games" in few:
            few["games"] = min(few["games"], FEW)
        if "tiers" in few:
            few["tiers"] = {**few["tiers"], "games": [FEW for _ in few["tiers"]["games"]]}
        return Path(run(few, out=out, jobs=1))

    monkeypatch.setattr(sim, "run", small)
    monkeypatch.chdir(tmp_path)
    plt.close("all")
    names: dict[str, Any] = {}
    for number, cell in enumerate(cells_of(path)):
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{path.name}, cell {number}", "exec"), names)
    drawn = len(plt.get_fignums())
    plt.close("all")
    assert drawn >= 1


@pytest.mark.plain
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_kept_and_small(path: Path) -> None:
    outputs = [o for cell in cells_of(path) if cell["cell_type"] == "code" for o in cell["outputs"]]
    assert any("image/png" in o.get("data", {}) for o in outputs), "make notebooks"
    assert not any(o["output_type"] == "error" or o.get("name") == "stderr" for o in outputs)
    assert path.stat().st_size < 300_000


@pytest.mark.soak
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs_in_a_kernel(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MPLBACKEND", raising=False)  # pictures belong into the notebook
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}})
    client.execute()
