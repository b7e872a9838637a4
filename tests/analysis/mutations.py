"""Faults to plant into `analysis/`, and the test that each must fail.

A suite that is green says little unless it turns red when an estimator is wrong. Each fault below changes one place
of a temporary copy of the package (never of the work tree) and runs the test named beside it, which must then fail.
`make soak` plants them all; by hand, with the survivors at the end:

    python -m tests.analysis.mutations [WORD ...]     only faults whose name, file or test holds one of the words
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.analysis import mutations_choices, mutations_people
from tests.analysis.planting import SURVIVED, Fault, package, plant, run

SEATS, PIECES = "fairness/test_faults_in_seats.py", "pieces/test_faults_in_strength.py"
SKILL, DRAFTS = "skill/test_faults_in_standing.py", "bans_and_drafts/test_faults_in_drafts.py"
CARDS = "changes/test_faults_in_cards.py"
BAN_SETS, BANS = "bans_and_drafts/test_planted_ban_sets.py", "bans_and_drafts/test_faults_in_bans.py"
ROLES, HARM = "fairness/test_faults_in_roles.py", "pieces/test_faults_in_harm.py"
PLANTED_CARDS, DEPENDS = "changes/test_planted_cards.py", "changes/test_faults_in_dependence.py"
CLAIMS, CLAIM_FAULTS = "author_claims/test_planted_claims.py", "author_claims/test_faults_in_claims.py"
OVER_PLAY, LADDER = "skill/test_planted_over_play.py", "skill/test_planted_ladder.py"
LADDER_FAULTS, COURSE = "skill/test_faults_in_ladder.py", "pace/test_planted_course.py"
SETTINGS, ASK = "changes/test_settings.py", "report/test_ask.py"
WORTH, COMPONENTS = "pieces/test_planted_worth.py", "skill/test_planted_components.py"
DOMINANCE = "skill/test_planted_dominance.py"
PIECE_TRAPS, SKILL_TRAPS = "pieces/test_traps.py", "skill/test_traps.py"

FAULTS = (
    Fault(
        "differences of what was compared, not corrected over the family",
        "changes/settings.py",
        "low, high = every.interval(1 - stats.ALPHA / m)",
        "low, high = every.interval()",
        f"{SETTINGS}::test_the_interval_holds_all_differences_at_once",
    ),
    Fault(
        "what is told apart is pooled where it is not set against each other",
        "changes/settings.py",
        "    rest = [name for name in every if name not in {one.factor for one in out}]\n",
        "    rest: list[str] = []\n",
        f"{SETTINGS}::test_what_is_not_set_against_each_other_is_told_apart_all_the_same",
    ),
    Fault(
        "the level that the experiment names first is no base",
        "changes/settings.py",
        "members.sort(key=lambda cell: rank[cell])",
        "members.sort()",
        f"{SETTINGS}::test_the_base_is_the_one_that_is_asked_for",
    ),
    Fault(
        "one base for tables of all sizes",
        "changes/settings.py",
        "    tables = {} if sizes else _tables(d)\n",
        "    tables: dict[int, tuple[int, int]] = {}\n",
        f"{SETTINGS}::test_each_table_has_a_base_of_its_own",
    ),
    Fault(
        "a piece averaged over the numbers of players",
        "changes/settings.py",
        "_pieces(settings(d, axes, beside), pieces)",
        "_pieces(plain, pieces)",
        f"{ASK}::test_a_piece_is_not_averaged_over_the_numbers_of_players",
    ),
    Fault(
        "an average that does not say what it is over",
        "data/frames.py",
        "        if over := self._averages(rows):\n",
        '        if over := "":\n',
        f"{SETTINGS}::test_an_average_over_what_was_compared_says_so",
    ),
    Fault(
        "what a ban does, tested by one error alone",
        "changes/ban_settings.py",
        "low, high = every.interval(1 - stats.ALPHA / m)",
        "low, high = every.interval(0.2)",
        f"{ASK}::test_a_ban_that_does_the_same_everywhere_is_not_said_to_depend",
    ),
    Fault(
        "claims tried on all settings together",
        "author_claims/claims.py",
        "    if len(told.names) == 1:\n        yield d.play, told.d, list(listed)\n",
        "    if told.names:\n        yield d.play, told.d, list(listed)\n",
        f"{ASK}::test_claims_are_counted_under_each_version",
    ),
    Fault(
        "other guesses at the rules pooled with those that are played",
        "data/questions.py",
        'levels = tuple(level for level in levels if level.rpartition(", ")[2] == AS_THEY_ARE) or levels',
        "levels = levels",
        f"{ASK}::test_guesses_at_what_the_book_leaves_out_are_no_average_either",
    ),
    Fault(
        "seat verdict by the single band",
        "fairness/seat_tables.py",
        "    tests = float(sum(one.tests for one in counted))\n",
        "    tests = 1.0\n",
        f"{SEATS}::test_one_seat_of_four_beyond_its_own_band_only_is_no_verdict",
    ),
    Fault(
        "slope over padded seats",
        "stats/logit.py",
        "rows += float((each * mask[part]).sum() if mask is not None else each.sum() * p.shape[1])",
        "rows += float(each.sum() * p.shape[1])",
        f"{PIECES}::test_win_share_a_copy_at_tables_of_two_and_of_five",
    ),
    Fault(
        "margin of pieces for the seats",
        "fairness/seat_tables.py",
        "margin = d.judge.seat",
        "margin = d.judge.piece",
        f"{SEATS}::test_seats_are_judged_by_the_margin_of_seats",
    ),
    Fault(
        "raw p for strong",
        "stats/verdicts.py",
        "band_low, band_high = found.interval(1 - ALPHA / m)",
        "band_low, band_high = found.interval(1 - ALPHA)",
        f"{PIECES}::test_strong_is_said_of_what_is_clear_among_all_pieces",
    ),
    Fault(
        "raw p for balanced",
        "stats/verdicts.py",
        "hochberg(found[within].p_within(lows[within], highs[within]))",
        "found[within].p_within(lows[within], highs[within])",
        f"{PIECES}::test_balanced_is_said_of_what_is_clear_among_all_pieces",
    ),
    Fault(
        "games without the bot in its denominator",
        "fairness/seats.py",
        "there = own.any(axis=1)  #",
        "there = np.ones(len(own), dtype=bool)  #",
        f"{SEATS}::test_a_bot_counts_in_the_games_that_it_was_in",
    ),
    Fault(
        "share of a bot over all games",
        "fairness/seats.py",
        "return float(self.won.sum() / self.seats.sum())",
        "return float(self.won.sum() / len(self.games))",
        f"{SEATS}::test_a_bot_counts_in_the_games_that_it_was_in",
    ),
    Fault(
        "standing over all games",
        "skill/pairings.py",
        'games.behind(np.unique(pairs.game[at]), "mean over opponents of the score", blocks)',
        'games.behind(np.unique(pairs.game), "mean over opponents of the score", blocks)',
        f"{SKILL}::test_standing_counts_opponents_and_not_games",
    ),
    Fault(
        "standing weighted by games",
        "skill/pairings.py",
        "value = float((own_mean / size[code[at]]).sum() / opponents)",
        "value = float(own.mean())",
        f"{SKILL}::test_standing_counts_opponents_and_not_games",
    ),
    Fault(
        "errors of standing as if weighted by games",
        "skill/pairings.py",
        "influence = (own - own_mean) / (size[code[at]] * opponents)",
        "influence = (own - own_mean) / len(own)",
        f"{SKILL}::test_standing_counts_opponents_and_not_games",
    ),
    Fault(
        "drawn levels across strata",
        "changes/levels.py",
        "inside = np.isin(stratum, both)",
        "inside = np.ones(len(stratum), dtype=bool)",
        f"{CARDS}::test_an_event_is_set_against_games_of_its_own_map",
    ),
    Fault(
        "picks with errors by offer",
        "bans_and_drafts/drafts.py",
        "blocks = games.blocks[offers.game[at]]\n    dealt",
        "blocks = stats.make_blocks(np.arange(len(at)))\n    dealt",
        f"{DRAFTS}::test_offers_of_one_game_are_no_independent_choices",
    ),
    Fault(
        "tied games dropped in the logit",
        "stats/logit.py",
        "    beta = np.zeros(x.shape[2]) if start is None",
        "    decided = credit.max(axis=1) > 0.99\n"
        "    x, credit, blocks = x[decided], credit[decided], blocks[decided]\n"
        "    mask = None if mask is None else mask[decided]\n"
        "    beta = np.zeros(x.shape[2]) if start is None",
        f"{PIECES}::test_ties_count_half_in_the_strength_of_a_piece",
    ),
    Fault(
        "tied games without a score",
        "stats/logit.py",
        "        y = credit[part, 1]\n",
        "        y = np.where(credit[part].max(axis=1) > 0.99, credit[part, 1], p)\n",
        f"{PIECES}::test_ties_count_half_in_the_strength_of_a_piece",
    ),
    Fault(
        "games of one deal as independent",
        "data/columns.py",
        'deal, what = self.number("deal"), "deal"',
        'deal, what = self.ids, "deal"',
        f"{SEATS}::test_a_deal_is_one_block_whatever_the_seeds_of_its_games",
    ),
    Fault(
        "repeated lines of play as new games",
        "data/columns.py",
        'self.number("line") if self._whole("line") else None',
        "None",
        "fairness/test_planted_fairness.py::test_pt26_every_estimator_says_that_lines_repeat",
    ),
    Fault(
        "one seed under many numbers as many deals",
        "data/columns.py",
        "deal = np.unique(seed, return_inverse=True)[1]",
        "pass",
        "fairness/test_planted_fairness.py::test_pt23_one_seed_in_every_game_is_one_deal",
    ),
    Fault(
        "games of a series as independent",
        "data/columns.py",
        'deal, what = np.where(number < 0, -1 - deal, number), "series"',
        "pass",
        "changes/test_planted_cards.py::test_a_series_is_the_block",
    ),
    Fault(
        "fair share by seats where sides play",
        "fairness/seat_tables.py",
        "fair = 1.0 / int(games.sides[rows[0]])",
        "fair = 1.0 / int(games.players[rows[0]])",
        "fairness/test_planted_sides.py::test_a_fair_share_is_one_over_the_sides",
    ),
    Fault(
        "stopped games left out of the bounds",
        "fairness/seat_tables.py",
        "capped, finished = self.cut / n, self.finished / n",
        "capped, finished = self.cut / n, self.finished / (n - self.cut)",
        "fairness/test_planted_fairness.py::test_pt17_games_stopped_by_the_cap_are_counted_with_bounds",
    ),
    Fault(
        "shared deals as independent in a change of win share",
        "fairness/seats.py",
        "together = paired and len(shared) > 1",
        "together = False",
        "fairness/test_planted_fairness.py::test_shares_of_a_factor_are_compared_deal_by_deal",
    ),
    Fault(
        "mirror games in a headline",
        "fairness/seats.py",
        "there = there & ~mirror[members] if (there & ~mirror[members]).any() else there",
        "there = there | False",
        "skill/test_planted_matchups.py::test_mirror_games_do_not_water_a_headline_down",
    ),
    Fault(
        "only the most favoured seat is looked at",
        "fairness/seats.py",
        "worst = int(np.argmax(np.abs(gap) + 1e-9 * gap))",
        "worst = int(np.argmax(gap))",
        f"{SEATS}::test_the_seat_furthest_from_fair_may_be_a_weak_one",
    ),
    Fault(
        "shrinkage unseen by the verdict",
        "stats/verdicts.py",
        "kept = value if shrunk is None or not np.isfinite(shrunk[i]) else shrunk[i]",
        "kept = value",
        "test_verdicts.py::test_the_verdict_sees_the_shrunk_value",
    ),
    Fault(
        "a point beyond the margin is enough",
        "stats/verdicts.py",
        "elif band_low[i] > highs[i] and kept > highs[i]:",
        "elif band_low[i] > centre[i] and kept > highs[i]:",
        "test_verdicts.py::test_a_point_beyond_the_margin_is_not_enough",
    ),
    Fault(
        "one side of the equivalence test",
        "stats/estimates.py",
        "return np.asarray(np.maximum(self._tails(ends[0])[1], self._tails(ends[1])[0]))",
        "return np.asarray(np.minimum(self._tails(ends[0])[1], self._tails(ends[1])[0]))",
        "fairness/test_planted_fairness.py::test_pt13_verdicts_of_seats",
    ),
    Fault(
        "verdict on games picked by an outcome",
        "data/frames.py",
        "return CONDITIONED if self.conditioned else None",
        "return None",
        "test_verdicts.py::test_games_picked_by_an_outcome_are_not_judged",
    ),
    Fault(
        "a piece that nobody uses is judged",
        "pieces/strength.py",
        "unused=np.concatenate([fit.used < SELDOM for fit in fitted]),",
        "unused=None,",
        "test_verdicts.py::test_a_piece_that_bots_hardly_use_gets_no_verdict",
    ),
    Fault(
        "a piece against an average that it is part of",
        "pieces/strength.py",
        "rest = [p for p in np.unique(kind[peers]) if p != kind[i]]",
        "rest = list(np.unique(kind[peers]))",
        f"{PIECES}::test_a_piece_is_set_against_the_others_and_not_itself",
    ),
    Fault(
        "strength without the bots",
        "pieces/strength.py",
        "columns += [code == kind for kind in kinds[1:]]",
        "columns += []",
        f"{PIECES}::test_a_better_bot_that_holds_a_piece_oftener_does_not_colour_it",
    ),
    Fault(
        "the range of a piece forgotten",
        "pieces/strength.py",
        "np.array([d.judge.range_of(part.model.names[p]) for p, _ in part.model.columns])",
        "np.array([(-d.judge.piece, d.judge.piece) for p, _ in part.model.columns])",
        "pieces/test_planted_strength.py::test_ranges_that_are_meant_shape_the_verdict",
    ),
    Fault(
        "margin of pieces for pairings",
        "skill/pairings.py",
        "margin, k = d.judge.seat, len(pairs.names)",
        "margin, k = d.judge.piece, len(pairs.names)",
        f"{SKILL}::test_pairings_are_judged_by_the_margin_of_seats",
    ),
    Fault(
        "clones as opponents of each other",
        "skill/pairings.py",
        "met = ~pairs.alike[pairs.first, pairs.second]",
        "met = pairs.first >= 0",
        "skill/test_planted_matchups.py::test_players_that_are_alike_are_one_class",
    ),
    Fault(
        "margin of pieces for the order of the draft",
        "bans_and_drafts/drafts.py",
        'return judged(frame, found, d.judge.seat, [*games.by, "players", "position"]',
        'return judged(frame, found, d.judge.piece, [*games.by, "players", "position"]',
        f"{DRAFTS}::test_the_order_of_the_draft_is_judged_by_the_margin_of_seats",
    ),
    Fault(
        "an empty pile that was taken forgotten",
        "bans_and_drafts/drafts.py",
        "chosen[offer] = np.where(took, pile, 1 - pile)",
        "chosen[offer[took]] = pile[took]",
        "bans_and_drafts/test_planted_drafts.py::test_an_empty_pile_may_be_chosen",
    ),
    Fault(
        "raw p for what depends on a factor",
        "changes/dependence.py",
        "q[known] = stats.hochberg(p[known])",
        "q[known] = p[known]",
        "changes/test_planted_dependence.py::test_labels_differ_by_luck_where_nothing_depends_on_the_map",
    ),
    Fault(
        "levels compared over deals that only one has",
        "changes/contrasts.py",
        "old, new = old[np.isin(deal[old], shared)], new[np.isin(deal[new], shared)]",
        "pass",
        f"{CARDS}::test_levels_are_compared_on_the_deals_that_both_have",
    ),
    Fault(
        "raw p for drawn levels",
        "changes/contrasts.py",
        "q[at] = stats.bh(p[at])",
        "q[at] = p[at]",
        f"{CARDS}::test_null_cards_are_corrected_over_all_of_a_measure",
    ),
    Fault(
        "stopped games as long as they were",
        "pace/course.py",
        "    if not cut.any():\n        found",
        "    if len(cut):\n        found",
        "fairness/test_planted_fairness.py::test_pt17_length_treats_stopped_games_as_at_least_so_long",
    ),
    Fault(
        "raw p for a step of the ladder",
        "skill/ladder.py",
        "q = stats.bh(found.p(0.0))",
        "q = found.p(0.0)",
        f"{SKILL}::test_steps_of_a_long_ladder_are_corrected_together",
    ),
    Fault(
        "what was played as if assigned",
        "pieces/strength.py",
        'column = str(d.manifest["lever"].get("column", "assigned"))',
        'column = "played"',
        f"{PIECE_TRAPS}::test_pt6_a_null_card_that_is_seen_in_long_games_only",
    ),
    Fault(
        "opponents forgotten",
        "pieces/strength.py",
        'code, names = games.named("bot")\n',
        'code, names = 0 * games.named("bot")[0], ["bot"]\n',
        f"{PIECE_TRAPS}::test_pt24_opponents_chosen_for_even_games_do_not_hide_a_strong_piece",
    ),
    Fault(
        "one fit over the levels of a factor",
        "pieces/strength.py",
        "[Part(model, labels, members) for labels, members in groups]",
        "[Part(model, labels, np.arange(len(model.games))) for labels, _ in groups]",
        f"{PIECE_TRAPS}::test_pt4_a_good_piece_that_is_had_where_its_owner_loses",
    ),
    Fault(
        "verdicts at the weakest tier",
        "data/views.py",
        "chosen = tier or tiers[-1]",
        "chosen = tier or tiers[0]",
        f"{SKILL_TRAPS}::test_pt10_a_piece_that_weak_bots_misuse_is_no_average_piece",
    ),
    Fault(
        "the way over play from the tier below",
        "skill/over_play.py",
        "_step(whole, tiers[0], tiers[-1])",
        "last",
        f"{SKILL_TRAPS}::test_pt10_a_piece_that_weak_bots_misuse_is_no_average_piece",
    ),
    Fault(
        "places behind the first as ties",
        "skill/pairings.py",
        'if "rank" in have else -games.win_share',
        'if "rang" in have else -games.win_share',
        f"{SKILL_TRAPS}::test_pt21_third_place_is_not_above_two_who_share_the_first",
    ),
    Fault(
        "strata pooled in the means of two arms",
        "bans_and_drafts/ban_effects.py",
        "        if self.stratum is not None:\n",
        "        if self.design == 0:\n",
        f"{CARDS}::test_pt4_an_event_that_is_drawn_oftener_on_the_long_map_is_not_what_makes_games_long",
    ),
    Fault(
        "strata pooled in the strength of pieces",
        "bans_and_drafts/ban_effects.py",
        "        if self.stratum is None:\n            return None, None\n",
        "        if self.design:\n            return None, None\n",
        f"{CARDS}::test_pt4_an_event_drawn_oftener_where_a_piece_is_strong_does_not_make_it_strong",
    ),
    Fault(
        "weights of games without their errors",
        "stats/logit.py",
        "beyond[part] = each * (y - p)",
        "beyond[part] = y - p",
        f"{CARDS}::test_an_event_that_makes_a_piece_strong_is_found_among_strata_of_several_sizes",
    ),
    Fault(
        "bans pooled over how many there are",
        "bans_and_drafts/ban_effects.py",
        '                "drawn",\n                cell if cells > 1 else None,\n',
        '                "drawn",\n',
        "bans_and_drafts/test_faults_in_bans.py::test_a_ban_is_not_blamed_for_how_many_are_banned_beside_it",
    ),
    Fault(
        "sets of bans as they were seen",
        "bans_and_drafts/ban_sets.py",
        "value[use, c], error[use, c] = _shrink(x, se, own - own.mean(axis=0))",
        "value[use, c], error[use, c] = x, se",
        f"{BAN_SETS}::test_best_bans_are_not_the_luckiest",
    ),
    Fault(
        "a set on few deals is ranked",
        "bans_and_drafts/ban_sets.py",
        "TOO_FEW if not enough[i] else MOST_EVEN",
        "MOST_EVEN",
        f"{BAN_SETS}::test_a_set_on_a_handful_of_deals_is_too_few_to_say",
    ),
    Fault(
        "tiers of sets by their points",
        "bans_and_drafts/ban_sets.py",
        "total[:, [first]], 0.025, axis=0) > 0",
        "total[:, [first]], 0.5, axis=0) > 0",
        f"{BAN_SETS}::test_equal_sets_are_all_in_one_tier",
    ),
    Fault(
        "the range of a piece forgotten in a set",
        "bans_and_drafts/ban_sets.py",
        "found - middle[known], np.diag(cov)",
        "found, np.diag(cov)",
        f"{BANS}::test_a_set_is_most_even_where_pieces_are_worth_what_is_meant",
    ),
    Fault(
        "what counts as even forgotten",
        "bans_and_drafts/ban_sets.py",
        'wanted = d.judge.even.split("+")',
        'wanted = ["seats", "pieces"]',
        f"{BANS}::test_even_is_what_the_experiment_says_it_is",
    ),
    Fault(
        "each set by its own few games",
        "bans_and_drafts/ban_sets.py",
        "return np.where(np.isfinite(variance), np.sqrt(one[None, :] / size[:, None]), np.nan)",
        "return np.sqrt(variance)",
        f"{BANS}::test_a_small_set_that_always_came_out_alike_is_not_sure",
    ),
    Fault(
        "shared deals as independent in what a ban does to seats",
        "bans_and_drafts/ban_effects.py",
        "blocks = games.blocks[old_rows].join(games.blocks[new_rows])",
        "blocks = stats.make_blocks(np.arange(len(old_rows) + len(new_rows)))",
        "fairness/test_planted_fairness.py::test_pt25_bans_varied_between_cells_go_by_deal",
    ),
    Fault(
        "shared deals as independent in what a ban does to pieces",
        "bans_and_drafts/ban_effects.py",
        "blocks = before.blocks.join(after.blocks)",
        "blocks = stats.make_blocks(np.arange(len(before.scores) + len(after.scores)))",
        f"{BANS}::test_sets_on_the_same_deals_are_compared_deal_by_deal",
    ),
    Fault(
        "raw p for bans on pieces",
        "bans_and_drafts/ban_effects.py",
        'frame = frame.with_columns(pl.Series("q", stats.bh(floats(frame, "p"))))',
        'frame = frame.with_columns(pl.Series("q", floats(frame, "p")))',
        f"{BANS}::test_bans_that_change_nothing_are_corrected_together",
    ),
    Fault(
        "raw p for bans on seats",
        "bans_and_drafts/ban_effects.py",
        '        pl.Series("q", stats.bh(floats(frame, "p"))),\n',
        '        pl.Series("q", floats(frame, "p")),\n',
        f"{BANS}::test_bans_that_change_nothing_are_corrected_together",
    ),
    Fault(
        "the gap between seats with its noise",
        "bans_and_drafts/ban_effects.py",
        "square - times * noise",
        "square - 0 * times * noise",
        "pieces/test_planted_strength.py::test_ban_gap_is_not_made_of_noise",
    ),
    Fault(
        "a set of bans against cells that differ otherwise",
        "bans_and_drafts/ban_effects.py",
        "shared = {stratum[c] for c in old} & {stratum[c] for c in new}",
        "shared = {stratum[c] for c in old} | {stratum[c] for c in new}",
        f"{BANS}::test_a_set_is_set_against_no_ban_on_the_same_map",
    ),
    Fault(
        "a role with the seat in it",
        "fairness/roles.py",
        "flat = np.concatenate([marks.astype(np.int16), seats_and_bots(games)], axis=1)",
        "flat = marks.astype(np.int16)",
        f"{ROLES}::test_a_role_that_sits_in_the_good_seat_oftener",
    ),
    Fault(
        "margin of pieces for roles",
        "fairness/roles.py",
        'frame, found, d.judge.seat, [*games.by, "players", "role", "apart"]',
        'frame, found, d.judge.piece, [*games.by, "players", "role", "apart"]',
        f"{ROLES}::test_roles_and_enders_are_judged_by_the_margin_of_seats",
    ),
    Fault(
        "games without the role are counted",
        "fairness/roles.py",
        "kept = members[roles[name][members] >= 0]",
        "kept = members",
        f"{ROLES}::test_games_without_the_role_are_left_out",
    ),
    Fault(
        "tied series are won by both",
        "fairness/roles.py",
        "won = best / best.sum(axis=1, keepdims=True)",
        "won = best * 1.0",
        f"{ROLES}::test_tied_series_are_shared",
    ),
    Fault(
        "series without their ties",
        "fairness/roles.py",
        "won = best / best.sum(axis=1, keepdims=True)",
        "won = best * (best.sum(axis=1, keepdims=True) == 1)",
        f"{ROLES}::test_tied_series_are_shared",
    ),
    Fault(
        "who ends a game against seats where sides play",
        "fairness/endings.py",
        "fair, blocks = 1.0 / int(games.sides[known[0]])",
        "fair, blocks = 1.0 / int(games.players[known[0]])",
        f"{ROLES}::test_who_ends_a_game_of_partners_has_the_share_of_a_side",
    ),
    Fault(
        "margin of pieces for who ends a game",
        "fairness/endings.py",
        "return judged(frame, found, d.judge.seat, [*games.by",
        "return judged(frame, found, d.judge.piece, [*games.by",
        f"{ROLES}::test_roles_and_enders_are_judged_by_the_margin_of_seats",
    ),
    Fault(
        "a tie on points as a win",
        "fairness/endings.py",
        "gain = games.win_share - best / level[games.game]",
        "gain = games.win_share - best",
        f"{COURSE}::test_tie_breaks_show_who_gains",
    ),
    Fault(
        "raw p for tie-breaks",
        "fairness/endings.py",
        'pl.Series("q", stats.bh(floats(frame, "p")), nan_to_null=True)',
        'pl.Series("q", floats(frame, "p"), nan_to_null=True)',
        f"{ROLES}::test_tie_breaks_that_favour_nobody_are_corrected_over_the_seats",
    ),
    Fault(
        "harm with errors of its sum alone",
        "pieces/harm.py",
        "((over - value * under) / total)[:, None]",
        "(over / total)[:, None]",
        f"{HARM}::test_harm_a_copy_is_as_sure_as_its_copies_are_alike",
    ),
    Fault(
        "opponents added up",
        "pieces/harm.py",
        "games.of_others(own) / np.maximum(opponents, 1)",
        "games.of_others(own)",
        f"{PLANTED_CARDS}::test_harm_is_what_facing_a_piece_costs",
    ),
    Fault(
        "tables of all sizes as one in harm",
        "pieces/harm.py",
        "x = np.concatenate([model.counts, model.others, np.stack(sizes, axis=1)], axis=1)",
        "x = np.concatenate([model.counts, model.others, 0 * np.stack(sizes, axis=1)], axis=1)",
        f"{HARM}::test_points_of_large_tables_are_not_what_a_piece_does",
    ),
    Fault(
        "raw p for harm",
        "pieces/harm.py",
        "q[at] = stats.bh(p[at])",
        "q[at] = p[at]",
        f"{HARM}::test_harmless_pieces_are_corrected_together",
    ),
    Fault(
        "raw p for claims",
        "author_claims/claims.py",
        'q = stats.bh([row["p"] for row in rows])',
        'q = np.array([row["p"] for row in rows], dtype=float)',
        f"{CLAIMS}::test_many_null_claims_are_corrected",
    ),
    Fault(
        "a modest verdict is enough for a claim",
        "author_claims/claims.py",
        'row["said"] if not row["modest"] or row["q"] < ALPHA else 0',
        'row["said"]',
        f"{CLAIM_FAULTS}::test_above_must_be_clear_among_all_claims",
    ),
    Fault(
        "raw p for claims that are denied",
        "author_claims/claims.py",
        'same = stats.bh([row.pop("p_same") for row in rows])',
        'same = np.array([row.pop("p_same") for row in rows], dtype=float)',
        f"{CLAIM_FAULTS}::test_denials_are_corrected_over_all_claims",
    ),
    Fault(
        "a claim on the other side is reproduced",
        "author_claims/claims.py",
        'return "reproduced" if row["direction"] * (row["estimate"] - row["null"]) > 0 else "not"',
        'return "reproduced"',
        f"{CLAIMS}::test_true_claims_are_reproduced_and_false_ones_are_not",
    ),
    Fault(
        "a range is reproduced where nothing denies it",
        "author_claims/claims.py",
        '        if row["q_same"] < ALPHA:\n            return "reproduced"\n',
        '        if row["q"] > ALPHA:\n            return "reproduced"\n',
        f"{CLAIM_FAULTS}::test_a_range_must_be_shown",
    ),
    Fault(
        "claims without the verdict on the same numbers",
        "author_claims/evidence.py",
        "found.said = means.get(TURNED.get(word, word) if direction < 0 else word, 0)",
        "found.said = None",
        f"{CLAIM_FAULTS}::test_what_is_undecided_among_the_pieces_is_no_claim_reproduced",
    ),
    Fault(
        "claims on all settings together",
        "author_claims/claims.py",
        "        yield name, told.d.filter(None, **{SETTING: name}), rest",
        "        yield name, told.d, rest",
        f"{CLAIM_FAULTS}::test_a_claim_is_tried_on_each_setting",
    ),
    Fault(
        "cards against the other cards though some games have none",
        "changes/levels.py",
        "other = base if base.any() else ~own",
        "other = ~own",
        f"{PLANTED_CARDS}::test_each_card_shows_what_was_planted_and_nothing_else",
    ),
    Fault(
        "a factor that says whether is a stratum",
        "changes/levels.py",
        "rest = [n for n in rest if not _says_whether(d, games, base, n)]",
        "pass",
        f"{PLANTED_CARDS}::test_a_factor_that_only_says_whether_cards_are_played_parts_no_games",
    ),
    Fault(
        "no difference seen is a verdict that holds",
        "skill/over_play.py",
        'HOLDS if row["same"] else',
        'HOLDS if not row["depends"] else',
        f"{OVER_PLAY}::test_few_games_at_the_dear_tier_leave_it_open",
    ),
    Fault(
        "the other sign by luck",
        "skill/over_play.py",
        "if old * new < 0 and abs(new) >",
        "if old * new < 0 and 1 + abs(new) >",
        f"{OVER_PLAY}::test_what_has_faded_turns_by_luck_alone",
    ),
    Fault(
        "the badge from the weakest tier",
        "skill/over_play.py",
        "last = _step(whole, tiers[-2], tiers[-1])",
        "last = _step(whole, tiers[0], tiers[-1])",
        f"{OVER_PLAY}::test_what_moved_below_holds_at_the_top",
    ),
    Fault(
        "over play within one tier",
        "skill/over_play.py",
        "whole = d.all_tiers",
        "whole = d",
        f"{OVER_PLAY}::test_the_strongest_tier_is_what_is_judged",
    ),
    Fault(
        "ratings without the seats",
        "skill/ladder.py",
        "x[np.arange(len(code)), k + games.seat] = 1",
        "x[np.arange(len(code)), k + games.seat] = 0",
        f"{LADDER_FAULTS}::test_a_bot_that_sits_in_the_good_seat_oftener_is_no_stronger",
    ),
    Fault(
        "gains by step and not by doubling",
        "skill/ladder.py",
        "= 1 / doublings[row], -1 / doublings[row]",
        "= 1.0, -1.0",
        f"{LADDER}::test_ratings_and_gains_are_those_planted_whatever_the_seats_are_worth",
    ),
    Fault(
        "a number for a rating without a lower end",
        "skill/ladder.py",
        "return -1 if not won[mixed].any()",
        "return 0 if not won[mixed].any()",
        f"{LADDER}::test_a_bot_that_never_won_has_no_rating_but_an_end_and_leaves_the_others_alone",
    ),
    Fault(
        "raw p for no stronger",
        "skill/ladder.py",
        "none[row] * len(steps) < 0.05",
        "none[row] < 0.05",
        f"{LADDER_FAULTS}::test_no_stronger_is_corrected_over_all_steps",
    ),
    Fault(
        "ratings with errors by game",
        "skill/ladder.py",
        "return stats.conditional_logit(padded, credit, games.blocks, mask)",
        "return stats.conditional_logit(padded, credit, stats.make_blocks(np.arange(len(games))), mask)",
        f"{LADDER_FAULTS}::test_games_of_one_deal_are_one_block",
    ),
    Fault(
        "shared deals as independent in what depends, seats",
        "changes/dependence.py",
        "blocks = games.blocks[rows[0]].join(games.blocks[rows[1]])\n            numbers",
        "blocks = stats.make_blocks(np.arange(sum(map(len, rows))))\n            numbers",
        "changes/test_planted_dependence.py::test_the_errors_of_a_dependence_go_by_deal",
    ),
    Fault(
        "shared deals as independent in what depends, pieces",
        "changes/dependence.py",
        "blocks = pair[0].blocks.join(pair[1].blocks)",
        "blocks = stats.make_blocks(np.arange(sum(len(fit.scores) for fit in pair)))",
        f"{DEPENDS}::test_pieces_on_shared_deals_are_compared_deal_by_deal",
    ),
    Fault(
        "raw p for what does not depend",
        "changes/dependence.py",
        '_corrected(floats(frame, "p_same"))',
        'floats(frame, "p_same")',
        f"{DEPENDS}::test_sameness_is_corrected_over_all_rows",
    ),
    Fault(
        "margin of pieces for seats that do not depend",
        "changes/dependence.py",
        "(first, second), games.data.judge.seat",
        "(first, second), games.data.judge.piece",
        f"{DEPENDS}::test_sameness_of_seats_goes_by_the_margin_of_seats",
    ),
    Fault(
        "settings with single intervals",
        "changes/settings.py",
        "every.interval(1 - stats.ALPHA / m)",
        "every.interval(1 - stats.ALPHA)",
        "changes/test_settings.py::test_the_interval_holds_all_differences_at_once",
    ),
    Fault(
        "raw p between settings",
        "changes/settings.py",
        '"q": min(1.0, m * p[i])',
        '"q": p[i]',
        f"{DEPENDS}::test_settings_that_change_nothing_are_corrected_together",
    ),
    Fault(
        "Banzhaf with the weights of Shapley",
        "pieces/worth.py",
        "else np.array([comb(self.n - 1, k) for k in range(reach)], float)",
        "else np.ones(reach)",
        f"{WORTH}::test_both_values_are_those_of_the_definition_where_they_differ",
    ),
    Fault(
        "hand and place as if what one has the others did not lack",
        "skill/components.py",
        "apart = -1 / (table.sides - 1)",
        "apart = 0.0",
        f"{COMPONENTS}::test_a_large_part_of_one_kind_does_not_colour_another_that_is_nothing",
    ),
    Fault(
        "the strength of a player as its hand",
        "skill/components.py",
        "left = left - _means(of_player, left)",
        "left = left - 0 * _means(of_player, left)",
        f"{COMPONENTS}::test_a_large_part_of_one_kind_does_not_colour_another_that_is_nothing",
    ),
    Fault(
        "worst pairings with single intervals",
        "skill/dominance.py",
        "every.interval(1 - stats.ALPHA / len(kinds))",
        "every.interval(1 - stats.ALPHA)",
        f"{DOMINANCE}::test_the_intervals_hold_together_and_false_dominance_is_rare",
    ),
    Fault(
        "dominant without having met all the others",
        "skill/dominance.py",
        "if low > EVEN and not missed:",
        "if low > EVEN:",
        f"{DOMINANCE}::test_who_did_not_meet_all_is_not_dominant_and_few_games_say_nothing",
    ),
    *mutations_people.FAULTS,
    *mutations_choices.FAULTS,
)


def main(words: list[str]) -> int:
    chosen = [f for f in FAULTS if not words or any(w in f"{f.name} {f.file} {f.test}" for w in words)]
    if not chosen:
        print(f"no fault holds {' or '.join(words)}")
        return 2
    with tempfile.TemporaryDirectory() as there:
        folder = package(Path(there))
        code, told = run(folder, *dict.fromkeys(fault.test for fault in chosen))
        if code:
            print(f"the tests fail without any fault:\n{told}")
            return 1
        found = {}
        for fault in chosen:
            found[fault.name] = plant(fault, folder)
            print(f"{found[fault.name]:9} {fault.name} ({fault.file})", flush=True)
    alive = [name for name, word in found.items() if word == SURVIVED]
    print(f"{len(found) - len(alive)} of {len(found)} faults caught; survivors: {', '.join(alive) or 'none'}")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
