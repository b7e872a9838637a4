/* Connect four: the rules of tests/limit/connect_four.py, the same lists of actions in the same order. */
#include <stdint.h>

#define COLUMNS 7
#define ROWS 6
#define STRIDE (ROWS + 1)
#define MOST_ACTIONS COLUMNS

/* Stones of each seat as bits, STRIDE to a column from the bottom up; the bit above a column is never set. */
typedef struct {
    uint64_t stones[2];
    int32_t seat, turn, winner, over;
} State;

static inline void setup(State *state) {
    *state = (State){.winner = -1};
}

static inline int64_t legal(const State *state, int32_t *out) {
    int64_t n = 0;
    uint64_t stones = state->stones[0] | state->stones[1];
    for (int x = 0; x < COLUMNS; x++) {
        out[n] = x;
        n += (stones >> (x * STRIDE + ROWS - 1) & 1) == 0;
    }
    return n;
}

static inline int row(uint64_t stones, int step) {
    uint64_t pairs = stones & (stones >> step);
    return (pairs & (pairs >> 2 * step)) != 0;
}

static inline void apply(State *state, int32_t action) {
    uint64_t all = state->stones[0] | state->stones[1], bottom = (uint64_t)1 << action * STRIDE;
    uint64_t column = (((uint64_t)1 << ROWS) - 1) << action * STRIDE;
    uint64_t stones = state->stones[state->seat] |= (all + bottom) & column & ~all; /* the lowest that is free */
    state->turn++;
    if (row(stones, 1) | row(stones, STRIDE - 1) | row(stones, STRIDE) | row(stones, STRIDE + 1))
        state->winner = state->seat;
    if (state->winner >= 0 || state->turn == COLUMNS * ROWS)
        state->over = 1;
    else
        state->seat = 1 - state->seat;
}

#include "playout.h"
