/* The project's random streams (sim/core/rng.py, sim/core/seeds.py), in C: the same seed draws the same numbers. */
#ifndef STREAM_H
#define STREAM_H
#include <stdint.h>

#define GOLDEN 0x9E3779B97F4A7C15ULL
enum { CHANCE = 2, BOT = 3 };

static inline uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

/* The number that belongs to (seed, stream, item). */
static inline uint64_t keyed(uint64_t seed, int64_t stream, int64_t item) {
    uint64_t place = (uint64_t)(stream * 281474976710656LL + item + 1);
    return mix(mix(seed + place * GOLDEN) + GOLDEN);
}

/* A whole number from 0 to n - 1. */
static inline int64_t below(uint64_t *stream, int64_t n) {
    *stream += GOLDEN;
    return (int64_t)(((mix(*stream) >> 32) * (uint64_t)n) >> 32);
}
#endif
