#include "core/base/random.h"

#include <bit>
#include <cmath>
#include <numbers>

namespace normscope {

namespace {

// Steele, Lea, Flood 2014; the constants are those of java.util.SplittableRandom.
std::uint64_t split_mix(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

} // namespace

Random::Random(std::uint64_t seed) {
    for (auto& word : state_) word = split_mix(seed);
}

std::uint64_t Random::next_u64() {
    auto& s = state_;
    const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
    const std::uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = std::rotl(s[3], 45);
    return result;
}

double Random::uniform() {
    return static_cast<double>(next_u64() >> 11) * 0x1p-53;
}

double Random::normal() {
    if (has_spare_) {
        has_spare_ = false;
        return spare_;
    }
    // 1 − u lies in (0, 1]: its logarithm is finite.
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    const double angle = 2.0 * std::numbers::pi * uniform();
    spare_ = radius * std::sin(angle);
    has_spare_ = true;
    return radius * std::cos(angle);
}

// Bailey 1994: Box-Muller with the radius of the t distribution, exact for every ν > 0.
double Random::student_t(double degrees_of_freedom) {
    const double u = 1.0 - uniform();
    const double radius_squared =
        degrees_of_freedom * std::expm1(-2.0 / degrees_of_freedom * std::log(u));
    return std::sqrt(radius_squared) * std::cos(2.0 * std::numbers::pi * uniform());
}

std::uint64_t Random::below(std::uint64_t bound) {
    if (bound == 0) return 0;
    // 2⁶⁴ mod bound values are rejected; what is left divides evenly.
    const std::uint64_t threshold = (0 - bound) % bound;
    std::uint64_t value = next_u64();
    while (value < threshold) value = next_u64();
    return value % bound;
}

Random random_stream(std::uint64_t seed, std::uint64_t key) {
    // A hash between seed and key: SplitMix64 states that differ by its own increment overlap.
    Random hash(seed);
    return Random(hash.next_u64() ^ (key * 0xd1342543de82ef95u));
}

} // namespace normscope
