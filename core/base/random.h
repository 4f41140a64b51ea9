#pragma once
#include <cstdint>
#include <string_view>

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

// A hash of a text that is the same everywhere (Fowler, Noll, Vo: FNV-1a, 64 bits).
constexpr std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

// The stream `key` of a seed, or that of a name: independent of the others and of Random(seed).
Random random_stream(std::uint64_t seed, std::uint64_t key);
inline Random random_stream(std::uint64_t seed, std::string_view name) {
    return random_stream(seed, fnv1a(name));
}

} // namespace normscope
