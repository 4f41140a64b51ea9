#pragma once
#include <cstdint>

namespace normscope {

// Seeded random numbers that are the same on every platform and standard library: SplitMix64 seeds
// xoshiro256++ (Blackman, Vigna 2019); std's distributions are not portable, so these are our own.
class Random {
  public:
    explicit Random(std::uint64_t seed);

    std::uint64_t next_u64();
    double uniform();                            // [0, 1), 53 bits
    double normal();                             // N(0, 1), Box-Muller
    double student_t(double degrees_of_freedom); // heavy tails
    std::uint64_t below(std::uint64_t bound);    // 0 … bound−1, unbiased

  private:
    std::uint64_t state_[4];
    double spare_ = 0;
    bool has_spare_ = false;
};

// The stream `key` of a seed: independent of the others and of Random(seed).
Random random_stream(std::uint64_t seed, std::uint64_t key);

} // namespace normscope
