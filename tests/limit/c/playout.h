/* Whole random games and counts of lines of play. The file that includes this has defined State, MOST_ACTIONS and
   `setup`, `legal`, `apply` over it; everything is in one unit, so that the compiler may take all of it in. */
#include <stdint.h>
#include <string.h>
#include "stream.h"

/* Play a game for each seed as the project's loop does: player s sits at seat s, each with a stream of its own, and
   forced actions are taken without drawing. Writes the turns and the winner (-1: nobody) of each game. */
void play(const uint64_t *seed, int64_t games, int32_t *turns, int32_t *winner) {
    State state;
    int32_t actions[MOST_ACTIONS];
    for (int64_t g = 0; g < games; g++) {
        uint64_t stream[2];
        setup(&state);
        for (int s = 0; s < 2; s++) stream[s] = keyed(seed[g], BOT, s);
        while (!state.over) {
            int64_t n = legal(&state, actions);
            if (n <= 0) break;
            apply(&state, actions[n > 1 ? below(&stream[state.seat], n) : 0]);
        }
        turns[g] = state.turn;
        winner[g] = state.winner;
    }
}

static int64_t lines(const State *state, int depth) {
    int32_t actions[MOST_ACTIONS];
    int64_t n = legal(state, actions), found = 0;
    if (depth == 1) return n;
    for (int64_t k = 0; k < n; k++) {
        State next = *state;
        apply(&next, actions[k]);
        if (!next.over) found += lines(&next, depth - 1);
    }
    return found;
}

/* How many lines of play there are of `depth` actions, those left out that are over before. */
int64_t perft(int depth) {
    State state;
    setup(&state);
    return lines(&state, depth);
}
