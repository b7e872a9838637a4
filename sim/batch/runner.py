"""Run an experiment into a folder: chunks to workers, parts to disk, one commit line each; resume."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sim.batch import cluster, store
from sim.batch.brief import is_brief
from sim.batch.committing import CommitLog
from sim.batch.engine import warm_up
from sim.batch.experiment import Experiment
from sim.batch.layout import SMALL, SMALL_DEAR, Chunk, blocks, cut, pending_in_tiers
from sim.batch.manifest import check_same, write_head
from sim.batch.plan import Plan, make_plan, with_base
from sim.batch.progress import bar, quiet, slow_note
from sim.batch.worker import Task, end_here, play_chunk_file
from sim.core.bot_doors import file_in
from sim.core.bot_options import bot_version
from sim.core.errors import Refusal, nearest
from sim.core.patience import ending

COMPILING = "compiling the rules, first run only (up to a minute)"


FEW = 200
"""Games that are played without telling first how long a slow game takes."""
PILOT_SECONDS = 1.0


@dataclass(frozen=True)
class Result:
    """What a run has done.

    Attributes
    ----------
    before, played
        Games that were in the folder, and games added.
    seconds, cpu_seconds
        Time spent on playing and writing (compiling and the head of the data set left out); CPU of this process.
    """

    folder: Path
    plan: Plan
    target: int
    before: int
    played: int
    seconds: float
    cpu_seconds: float


class Stopped(Exception):
    """The user stopped a run with Ctrl-C; what is committed is kept."""

    def __init__(self, folder: Path, kept: int, total: int) -> None:
        super().__init__(f"stopped with {kept:,} of {total:,} games in {folder}")
        self.folder, self.kept, self.total = folder, kept, total


def default_folder(experiment: Experiment) -> Path:
    """Return where a run goes without ``-o``: ``runs/<name>``."""
    return Path("runs") / experiment.name


def target_of(plan: Plan, asked: int) -> int:
    """Return the games a cell (of the first tier), rounded up to whole blocks."""
    return plan.targets(asked)[0]


def run(
    experiment: Experiment,
    out: Path | None = None,
    *,
    jobs: int | None = None,
    backend: str = "loky",
    scheduler: str | None = None,
    news: Callable[[str], None] = quiet,
    show: bool = False,
    plan: Plan | None = None,
    patience: float = 0.0,
    repair: bool = False,
    beside: Sequence[str] = (),
) -> Result:
    """Play an experiment, or what is missing of it, into a folder.

    Parameters
    ----------
    experiment
        A checked experiment; `experiment.games` are asked for in each cell.
    out
        The folder (default ``runs/<name>``); made when missing.
    jobs
        Worker processes (default: one a core; none for what takes no longer than starting them). 1 plays in this
        process.
    backend
        "loky", "dask", or another joblib backend, one that the user has registered, say.
    scheduler
        With "dask": the address of a cluster's scheduler; None makes a cluster of `jobs` processes here.
    news
        Called with lines on what is going on.
    show
        Show a progress bar (on a terminal only).
    plan
        The plan of `experiment`, when it has been made already.
    patience
        Seconds of the processor after which a decision that is not made ends the run (`sim.core.patience`): in worker
        processes with a `Refusal`; in this process, which compiled code holds, by ending it with exit code 2. 0: never.
    repair
        Read all committed parts first, and play again what is missing, cut short or changed.
    beside
        Names of bots of other runs: runs that are played one after another share machine code when they name them all.

    Raises
    ------
    Refusal
        The experiment or the folder cannot be used.
    Stopped
        Ctrl-C; the folder can be resumed.
    """
    plan = plan or make_plan(experiment)
    folder = Path(out) if out is not None else default_folder(experiment)
    if jobs is not None and jobs < 1:
        raise Refusal(f"--jobs must be at least 1, not {jobs}")
    _check_backend(backend, scheduler, jobs)
    if store.check_folder(folder):
        check_same(folder, store.read_manifest(folder), plan)
    with _writing(folder), store.locked(folder), ending(patience, partial(end_here, folder)):
        one = _Run(folder, plan, jobs or _cores(), backend, news, show, patience, repair, beside)
        if backend != "dask":
            one.own_jobs = jobs is None and backend == "loky"
            return one.go()
        with _polars_alone(), cluster.cluster(scheduler, one.jobs, news) as client:
            cluster.check_shared(client, folder.resolve())
            one.client, one.jobs = client, cluster.slots(client)
            return one.go()


def _check_backend(backend: str, scheduler: str | None, jobs: int | None) -> None:
    if scheduler is not None:
        if backend != "dask":
            raise Refusal("--scheduler goes with --backend dask")
        if jobs is not None:
            raise Refusal(
                "--jobs makes workers on this machine; those of a --scheduler are as many as there are"
            )
    if backend in ("loky", "dask"):
        return
    from joblib.parallel import BACKENDS, EXTERNAL_BACKENDS

    streaming = {name for name, kind in BACKENDS.items() if kind.supports_return_generator}
    known = sorted({*streaming, *EXTERNAL_BACKENDS, "dask"})
    if backend not in known:
        raise Refusal(
            f"there is no joblib backend '{backend}'{nearest(backend, known)}; known: {', '.join(known)}"
        )


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Turn a failing disk into one line."""
    try:
        yield
    except OSError as error:
        named = error.filename
        if named is not None and not Path(str(named)).resolve().is_relative_to(folder.resolve()):
            raise  # something else is broken: that deserves its traceback
        raise Refusal(f"cannot write into the folder '{folder}': {error.strerror or error}") from None


class _Run:
    def __init__(
        self,
        folder: Path,
        plan: Plan,
        jobs: int,
        backend: str,
        news: Callable[[str], None],
        show: bool,
        patience: float,
        repair: bool,
        beside: Sequence[str],
    ) -> None:
        self.folder, self.plan, self.jobs, self.backend = folder, plan, jobs, backend
        self.news, self.show, self.patience, self.repair = news, show, patience, repair
        self.beside = beside
        self.client: Any = None
        self.own_jobs = False

    @property
    def compiled(self) -> list[str]:
        """Names of the bots whose machine code is shared: files are left out, of which each data set has a copy."""
        return sorted({*self.plan.bot_names, *(name for name in self.beside if file_in(name) is None)})

    def go(self) -> Result:
        committed = self.open()
        before = sum(entry["games"] for entry in committed)
        experiment = self.plan.experiment
        done = [part for entry in committed for part in store.covered(entry)]
        self.next = 1 + max(map(store.last_chunk, committed), default=-1)
        tiers = pending_in_tiers(self.plan.tiers, experiment.log, self.targets, done, self.plan.closed)
        total = self.plan.total(self.targets)
        if before:
            self.news(f"{before:,} of {total:,} games are there already")
        seconds, cpu, played = 0.0, 0.0, 0
        if before < total:
            plain = getattr(self.plan.game, "plain", False)
            with slow_note(COMPILING, quiet if plain else self.news):
                warm_up(self.plan.game, self.compiled, experiment.log, self.plan.cells)
            brief = self.own_jobs and self.jobs > 1 and is_brief(self.plan, total - before, self.compiled)
            self.jobs = 1 if brief else self.jobs
            left = [
                part
                for tier, chunks in enumerate(tiers)
                for part in (chunks if brief else cut(chunks, self.jobs, SMALL_DEAR if tier else SMALL))
                if self.holds_games(part)  # a number that never comes would look like a chunk that is missing
            ]
            self.jobs = min(self.jobs, len(left))
            self.say_how_slow(total - before)
            began, cpu_began = time.perf_counter(), time.process_time()
            log = CommitLog(self.folder, in_groups=self.jobs > 1)
            try:
                with bar(total, before, self.show) as advance, log:
                    for entry in self.entries(left):
                        if entry["games"]:
                            log.add(entry)
                            advance(log.news())
            except KeyboardInterrupt:
                raise Stopped(self.folder, before + log.games, total) from None
            played = log.games
            seconds, cpu = time.perf_counter() - began, time.process_time() - cpu_began
        return Result(self.folder, self.plan, self.targets[0], before, played, seconds, cpu)

    def holds_games(self, part: Chunk) -> bool:
        """Whether a block of games begins within the ranks of a part: small ones may lie between two."""
        sizes = {len(self.plan.orders[cell]) for cell in part.cells}
        return any(len(blocks(size, part.start, part.stop)) > 0 for size in sizes)

    def say_how_slow(self, games: int) -> None:
        """Tell of a game that is played uncompiled how long it will take, from a short pilot."""
        if not getattr(self.plan.game, "plain", False) or games < FEW:
            return
        from sim.batch.dry_run import estimate

        found = estimate(self.plan, self.jobs, PILOT_SECONDS)
        seconds = games / found.games_per_second
        spent = f"{seconds:.0f} seconds" if seconds < 90 else f"{seconds / 60:.0f} minutes"
        self.news(
            f"{self.plan.game.name} is played as plain Python, the slow path: about {found.games_per_second:,.0f} "
            f"games/s here, {spent} for {games:,} games"
        )

    def open(self) -> list[dict[str, Any]]:
        """Begin the data set or take it up again; return what is committed."""
        asked = target_of(self.plan, self.plan.experiment.games)
        if asked != self.plan.experiment.games:
            self.news(
                f"{asked:,} games a cell: whole blocks of {self.plan.block}, each order of the players once"
            )
        there = store.check_folder(self.folder)
        manifest = store.read_manifest(self.folder) if there else {}
        if there:
            check_same(self.folder, manifest, self.plan)
            committed = store.read_commits(self.folder, cut=True)
            if self.repair:
                games = sum(entry["games"] for entry in committed)
                committed = store.drop_broken(self.folder, committed)
                again = games - sum(entry["games"] for entry in committed)
                self.news(
                    f"repair: {again:,} games are played again" if again else "repair: nothing is broken"
                )
            store.check_parts(self.folder, committed)
        else:
            committed = []
        for table in self.plan.tables().schema():
            (self.folder / table).mkdir(exist_ok=True)
        store.sweep(self.folder, committed)
        wanted = self.plan.targets(asked)
        begun = [tier["games"] for tier in manifest.get("tiers") or []] or [manifest.get("games_per_cell", 0)]
        begun += [0] * (len(wanted) - len(begun))
        self.targets = tuple(map(max, zip(wanted, begun)))
        for now, wish in zip(self.targets, wanted):
            if now > wish:
                self.news(f"the folder was begun with {now:,} games a cell; it keeps that number")
        files = self.plan.experiment.files
        if files:  # from here on the data set's own copies are played
            (self.folder / "inputs").mkdir(exist_ok=True)
            for name, text in files.items():
                (self.folder / "inputs" / name).parent.mkdir(parents=True, exist_ok=True)
                store.write_bytes(self.folder / "inputs" / name, text.encode())
            again = make_plan(with_base(self.plan.experiment, self.folder / "inputs"))
            self.plan = replace(again, looks=self.plan.looks)
        (
            self.folder / store.COMMITS
        ).touch()  # a run that is stopped before its first chunk leaves a data set too
        write_head(self.folder, self.plan, self.targets)
        return committed

    def entries(self, left: list[Chunk]) -> Iterator[dict[str, Any]]:
        """Play chunks and yield their commit lines as they come, a few at a time in memory."""
        experiment = self.plan.experiment
        task = Task(
            key=f"{experiment.hash()} {self.folder.resolve()}",
            game=experiment.game,
            seed=experiment.seed,
            share_deals=experiment.share_deals,
            tables=self.plan.tables(),
            base=experiment.source.base,
            folder=self.folder.resolve(),
            log=experiment.log,
            series=experiment.series,
            seating=experiment.seating,
            first_deal=experiment.first_deal,
            patience=self.patience if self.backend in ("loky", "dask") else 0.0,
            bots=tuple(self.compiled),
            rules_version=self.plan.game.rules_version,
            bots_versions={name: bot_version(name, self.plan.game) for name in self.plan.bot_names},
        )
        specs = self.plan.specs
        calls = (
            (number, chunk, [specs[i] for i in chunk.cells]) for number, chunk in enumerate(left, self.next)
        )
        if self.client is not None:
            with TemporaryDirectory(dir=self.folder.resolve(), prefix=".words-", suffix=".tmp") as last_words:
                task = replace(task, last_words=Path(last_words))
                yield from _on_cluster(self.client, task, calls)
        elif self.jobs == 1:
            yield from (play_chunk_file(task, *call) for call in calls)
        else:
            with TemporaryDirectory() as last_words:
                own = self.backend == "loky"
                task = replace(task, own_process=own, last_words=Path(last_words) if own else None)
                yield from _parallel(task, calls, self.jobs, self.backend)


def _on_cluster(client: Any, task: Task, calls: Iterable[Any]) -> Iterator[dict[str, Any]]:
    try:
        yield from cluster.spread(client, partial(play_chunk_file, task), calls, lambda: bool(_words(task)))
    except cluster.Lost as lost:
        raise _said(task, str(lost)) from None


def _parallel(task: Task, calls: Iterable[Any], jobs: int, backend: str) -> Iterator[dict[str, Any]]:
    import joblib
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    # After Ctrl-C joblib warns of the tasks that it drops; dropping them is the point.
    warnings.filterwarnings(
        "ignore", message=".*tasks which were still being processed", category=UserWarning
    )
    with _polars_alone():
        try:
            with joblib.parallel_config(backend=backend):
                pool = joblib.Parallel(
                    n_jobs=jobs, return_as="generator_unordered", pre_dispatch="2*n_jobs", batch_size=1
                )
                entries = pool(joblib.delayed(play_chunk_file)(task, *call) for call in calls)
            yield from entries
        except TerminatedWorkerError:
            raise _said(task, "a worker process was killed (out of memory?)") from None
        except BaseException:
            _kill_workers(backend)
            raise


def _said(task: Task, otherwise: str) -> Refusal:
    """Return what a lost worker has said with its last words, or what is known `otherwise`."""
    for path in _words(task):
        return Refusal(f"{path.read_text(encoding='utf-8')}; what '{task.folder}' has is kept")
    return Refusal(f"{otherwise}; the same command goes on from here")


def _words(task: Task) -> list[Path]:
    return sorted(task.last_words.glob("*.txt")) if task.last_words is not None else []


@contextmanager
def _polars_alone() -> Iterator[None]:
    """Let workers that are started within inherit one thread for polars: two cost more a row than one."""
    before = os.environ.get("POLARS_MAX_THREADS")
    os.environ["POLARS_MAX_THREADS"] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop("POLARS_MAX_THREADS", None)
        else:
            os.environ["POLARS_MAX_THREADS"] = before


def _kill_workers(backend: str) -> None:
    if backend == "loky":
        from joblib.externals.loky import get_reusable_executor

        get_reusable_executor().shutdown(wait=False, kill_workers=True)
