"""The command `whimbrel`: what is typed, what is printed, which exit code. One file a group of commands.

0: done. 1: the answer is no (a case failed, a data set is damaged). 2: it cannot be done (one line on
standard error). 3: undecided. Heavy packages are imported by the commands that use them: ``--help`` is quick.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer

from sim import __version__
from sim.cli import (
    balance,
    bench,
    check,
    competence,
    differ,
    doors,
    draw,
    exploit,
    handicap,
    ladder,
    look,
    plan,
    play,
    replay,
    results,
    seat,
    sensitivity,
    studies,
    targets,
    tune,
)
from sim.cli.interrupt import interruptible
from sim.core.errors import Refusal

app = typer.Typer(
    name="whimbrel",
    help="A balance laboratory for tabletop games. Begin with: whimbrel demo",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (
    *(play.demo, play.run, play.report),
    *(look.games, look.experiments, look.find),
    *(seat.play, replay.replay, draw.draw),
    *(differ.diff, check.check, check.verify, check.compact),
    *(doors.new_game, doors.check_game, doors.new_bot, doors.check_bot),
    *(plan.plan, handicap.handicap, sensitivity.sensitivity, balance.balance),
    *(bench.bench, ladder.ladder, competence.competence, exploit.exploit, tune.tune),
):
    app.command()(command)
app.command("import")(results.import_games)
app.command("assert")(targets.assert_targets)
app.command("compare")(targets.compare)
app.command("list")(studies.list_studies)
app.command("rerun")(studies.rerun)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"whimbrel {__version__}")
        raise typer.Exit


@app.callback()
def _top(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


def check_shadow() -> None:
    """Refuse to run when a folder or file of the user's hides one of our two packages."""
    home = Path(__file__).resolve().parents[2]
    for name in ("sim", "analysis"):
        spec = importlib.util.find_spec(name)
        origin = Path(spec.origin).resolve() if spec and spec.origin else None
        ours = home / name / "__init__.py"
        if origin is not None and origin != ours and ours.exists():
            raise Refusal(f"'{origin}' hides Whimbrel's own package '{name}'; rename it, or start elsewhere")
    here = Path.cwd()
    if here == home:
        return
    for name in ("sim", "analysis"):
        for path in (here / name / "__init__.py", here / f"{name}.py"):
            if path.is_file():
                text = f"note: '{path}' hides Whimbrel's package '{name}' from notebooks started here"
                print(text, file=sys.stderr)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    # Matrices are small here: threads of the linear algebra would mostly wait for each other, and burn what they share.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # What is imported stays. To look again and again what of it is rubbish took a tenth of a short run, and the last
    # look of all, when the process ends anyway, as much again.
    gc.set_threshold(50_000)
    code = _run(sys.argv[1:] if arguments is None else arguments)
    gc.freeze()
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    try:
        check_shadow()
        again = shlex.join(["whimbrel", *arguments])
        with interruptible(
            f"stopped in the middle of a game; what is committed is kept; again with: {again}"
        ):
            code = app(arguments or ["--help"], prog_name="whimbrel", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except BrokenPipeError:  # `whimbrel ... | head`
        sys.stderr.close()
        return 0
    except play.Interrupted as stop:
        print(f"{stop}; go on with: {shlex.join(['whimbrel', *arguments])}", file=sys.stderr)
        return 130
    except (KeyboardInterrupt, typer.Abort):
        print("stopped", file=sys.stderr)
        return 130
    except Exception as error:
        # Usage errors are of Typer's own click or of another one, refusals of `analysis` of its own class.
        if hasattr(error, "format_message"):
            context = getattr(error, "ctx", None)
            help_line = f" (see {context.command_path} --help)" if context is not None else ""
            text = error.format_message() + help_line
        elif type(error).__name__ == "Refusal":
            text = str(error)
        else:
            raise
        print("whimbrel: " + " ".join(text.split()), file=sys.stderr)
        return 2
