"""Every fault of `tests.analysis.mutations` is caught by the test that it names, on a copy of the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.mutations import FAULTS
from tests.analysis.planting import CAUGHT, ROOT, Fault, package, plant, run


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_place_of_a_fault_is_still_there(fault: Fault) -> None:
    text = (ROOT / "analysis" / fault.file).read_text(encoding="utf-8")
    assert fault.changed(text) != text
    file, _, name = fault.test.partition("::")
    assert f"def {name}(" in (ROOT / "tests" / "analysis" / file).read_text(encoding="utf-8")


def test_a_place_that_is_gone_is_said() -> None:
    fault = Fault("gone", "stats/logit.py", "no such line", "", "x::y")
    with pytest.raises(LookupError, match=r"fault 'gone': .* stands 0 times in analysis/stats/logit\.py"):
        fault.changed("another text")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = package(tmp_path_factory.mktemp("package"))
    code, told = run(folder, *dict.fromkeys(fault.test for fault in FAULTS))
    assert code == 0, f"the tests fail without any fault:\n{told}"
    return folder


@pytest.mark.soak
@pytest.mark.longest
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_fault_is_caught(fault: Fault, copy: Path) -> None:
    assert plant(fault, copy) == CAUGHT, f"'{fault.name}' in analysis/{fault.file} passes {fault.test}"
