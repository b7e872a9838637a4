"""Faults in what people's games, targets and the comparison of runs stand on; see `tests.analysis.mutations`."""

from __future__ import annotations

from tests.analysis.planting import Fault

PLAYERS, COVERAGE = "skill/test_planted_players.py", "skill/test_coverage.py"
TARGETS, RUNS = "targets/test_targets.py", "changes/test_runs.py"
SERVED, IMPORTING = "data/test_served.py", "data/test_importing.py"

FAULTS = (
    Fault(
        "the strengths of other people are allowed for",
        "skill/people.py",
        "return [str(name) for name in names], code.ravel()",
        "return [str(name) for name in names], code.ravel()[::-1]",
        f"{PLAYERS}::test_a_seat_that_only_the_better_player_likes_is_even_among_equals",
    ),
    Fault(
        "what is the seat's and what the player's is always told apart",
        "skill/people.py",
        'CANNOT_TELL if row["own"] < TAKEN else word',
        "word",
        f"{PLAYERS}::test_who_never_changes_seats_cannot_be_told_from_the_seat",
    ),
    Fault(
        "the likeliest spread alone, and be it 0",
        "stats/mixed.py",
        "return float(np.sqrt(np.average(np.square(at), weights=weight)))",
        "return float(at[np.argmax(values)])",
        f"{PLAYERS}::test_what_makes_no_difference_is_not_a_certain_nothing",
    ),
    Fault(
        "groups of people are no clusters",
        "data/columns.py",
        "effective_number(number) >= CLUSTERS",
        "effective_number(number) >= 1e9",
        f"{SERVED}::test_groups_are_blocks_where_there_are_enough",
    ),
    Fault(
        "people's games inside the bots' range, counted game by game",
        "skill/coverage.py",
        "blocks = mine.blocks[rows]",
        "blocks = stats.make_blocks(np.arange(len(rows)))",
        f"{COVERAGE}::test_few_games_and_few_groups_are_undecided",
    ),
    Fault(
        "not shown to be outside is covered",
        "skill/coverage.py",
        "found.p_within(ENOUGH, 2.0)[0] < stats.ALPHA",
        "found.value[0] > ENOUGH",
        f"{COVERAGE}::test_few_games_and_few_groups_are_undecided",
    ),
    Fault(
        "a look at a run as if it were the only one",
        "targets/judging.py",
        "half = spread_of(found) * width(alpha, share)",
        "half = spread_of(found) * 1.96",
        f"{TARGETS}::test_a_look_is_wider_and_in_planned_order",
    ),
    Fault(
        "what quick workers made is looked at first",
        "targets/looks.py",
        "    if gap is None:\n",
        "    if True:\n",
        f"{TARGETS}::test_a_look_is_wider_and_in_planned_order",
    ),
    Fault(
        "not refuted is proven",
        "targets/judging.py",
        "elif same[i] < stats.ALPHA:",
        "elif low_joint[i] <= highs[i] and high_joint[i] >= lows[i]:",
        f"{TARGETS}::test_what_lies_on_the_edge_is_seldom_called_anything",
    ),
    Fault(
        "runs on the same deals are compared as if they shared none",
        "data/pooling.py",
        'frame = d.games.select("deal", key=pl.coalesce(key, own))',
        'frame = d.games.select("deal", key=own)',
        f"{RUNS}::test_a_difference_on_common_deals_is_taken_deal_by_deal",
    ),
    Fault(
        "names of a second group are those of the first",
        "data/pooling.py",
        '    if codes and "player" in schema:\n',
        "    if False:\n",
        f"{RUNS}::test_names_and_cards_of_two_groups_are_joined",
    ),
    Fault(
        "shared wins count whole",
        "data/served.py",
        'win_share=first / first.sum().over("game_id")',
        "win_share=first",
        f"{SERVED}::test_the_least_there_can_be_is_a_data_set_everywhere",
    ),
    Fault(
        "what one seat leaves open is ruled out of all",
        "report/seat_words.py",
        'r["high_joint"] - r["fair"] for r in rows',
        'r["high"] - r["fair"] for r in rows[:1]',
        f"{IMPORTING}::test_a_sheet_of_their_own_becomes_a_report_that_says_what_it_excludes",
    ),
)
