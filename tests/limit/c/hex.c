/* Hex on an 11 x 11 board: the rules of tests/limit/hex.py, the same lists of actions in the same order. */
#include <stdint.h>

#define SIZE 11
#define CELLS (SIZE * SIZE)
#define MOST_ACTIONS CELLS
enum { NEAR = 1, FAR = 2 };

typedef struct {
    int8_t stone[CELLS];
    int16_t chain[CELLS];
    int8_t touches[CELLS];
    int32_t seat, turn, winner, over;
} State;

static int16_t near_cells[CELLS][6];
static int8_t edge[2][CELLS];

/* Tables of the board, made when the library is loaded. */
__attribute__((constructor)) static void fill(void) {
    static const int DX[6] = {1, -1, 0, 0, 1, -1}, DY[6] = {0, 0, 1, -1, -1, 1};
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            int cell = y * SIZE + x;
            for (int k = 0; k < 6; k++) {
                int a = x + DX[k], b = y + DY[k];
                near_cells[cell][k] = (int16_t)(a >= 0 && a < SIZE && b >= 0 && b < SIZE ? b * SIZE + a : -1);
            }
            edge[0][cell] = (int8_t)(NEAR * (y == 0) + FAR * (y == SIZE - 1));
            edge[1][cell] = (int8_t)(NEAR * (x == 0) + FAR * (x == SIZE - 1));
        }
}

static inline void setup(State *state) {
    *state = (State){.winner = -1};
    for (int cell = 0; cell < CELLS; cell++) state->chain[cell] = (int16_t)cell;
}

static inline int64_t legal(const State *state, int32_t *out) {
    int64_t n = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        out[n] = cell;
        n += state->stone[cell] == 0;
    }
    return n;
}

/* The cell that stands for the chain of a stone; the way to it becomes shorter. */
static inline int head_of(State *state, int cell) {
    while (state->chain[cell] != cell) {
        state->chain[cell] = state->chain[state->chain[cell]];
        cell = state->chain[cell];
    }
    return cell;
}

static inline void apply(State *state, int32_t action) {
    int seat = state->seat;
    int8_t touched = edge[seat][action];
    state->stone[action] = (int8_t)(seat + 1);
    state->turn++;
    for (int k = 0; k < 6; k++) {
        int other = near_cells[action][k];
        if (other >= 0 && state->stone[other] == seat + 1) {
            int head = head_of(state, other);
            touched |= state->touches[head];
            state->chain[head] = (int16_t)action;
        }
    }
    state->touches[action] = touched;
    if (touched == (NEAR | FAR)) {
        state->winner = seat;
        state->over = 1;
    } else {
        state->seat = 1 - seat;
    }
}

#include "playout.h"
