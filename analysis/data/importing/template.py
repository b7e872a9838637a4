"""A small example that says what may be written."""

TEMPLATE = """\
# One row a game. Lines that begin with # are left out. Delete columns that you do not have; add your own.
# winner: a seat (A, B, ... or 1, 2, ...), a name, several joined by +, or "tie". Without it the best score wins.
# date, version, group (who plays together), map, minutes, turns, first (who began), ended early (yes or no), bans: as
# far as you have them. player 1, score 1, deck 1, cards 1, place 1: of the first seat, and so on; a seat that nobody
# took stays empty. Or one row a game and seat: game;seat;player;score;place;won;deck;cards.
# Headings of your own: whimbrel import FILE --map "Sieger=winner" --map "Punkte Rot=score 1" -o runs/mine
date;version;group;map;minutes;players;player 1;score 1;player 2;score 2;player 3;score 3;first;winner;ended early
2025-03-01;v1;Tuesday;small;62,5;3;P;31;Q;28;R;22;P;P;no
2025-03-08;v1;Tuesday;large;48;2;Q;25;P;25;;;Q;tie;no
2025-03-15;v2;Tuesday;small;55;3;R;19;P;30;Q;27;R;B;no
"""
