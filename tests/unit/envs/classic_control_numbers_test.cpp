#include "classic_control/numpy_generator.hpp"
#include "classic_control/numpy_math.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

namespace classic_control {
namespace {

/// What numpy.random.PCG64(seed).random_raw(3) gives.
TEST(NumpyGenerator, GivesTheNumbersOfNumpy) {
    struct Row {
        std::uint64_t seed;
        std::uint64_t first, second, third;
    };
    for (const Row& row :
         {Row{0U, 11749869230777074271U, 4976686463289251617U, 755828109848996024U},
          Row{1U, 9441442522235856127U, 17532960557476522086U, 2659275481604167885U},
          Row{42U, 14276969152011380360U, 8095878257575067585U, 15838336090824644132U},
          Row{4294967295U, 4647538520743280031U, 4041050679407036418U, 5299467714154781845U},
          Row{4294967296U, 16412783775159424549U, 10277383025879800780U, 14774146505460541886U},
          Row{9223372036854775807U,
              3236778688619115796U,
              8668653565307110780U,
              15219254583519097992U},
          Row{18446744073709551615U,
              12544278110101001871U,
              15593249672699323225U,
              136562751618339402U}}) {
        NumpyGenerator random(row.seed);
        EXPECT_EQ(random.next(), row.first) << row.seed;
        EXPECT_EQ(random.next(), row.second) << row.seed;
        EXPECT_EQ(random.next(), row.third) << row.seed;
    }
}

TEST(NumpyGenerator, DrawsEvenlyFromTheRange) {
    NumpyGenerator random(7);
    double sum = 0;
    for (int i = 0; i != 10'000; ++i) {
        const double number = random.uniform(-2.0, 1.0);
        ASSERT_GE(number, -2.0);
        ASSERT_LT(number, 1.0);
        sum += number;
    }
    EXPECT_NEAR(sum / 10'000, -0.5, 0.05);
    EXPECT_EQ(random.uniform(0.25, 0.25), 0.25);
}

TEST(NumpyGenerator, ACopyGoesOnAlike) {
    NumpyGenerator random(7);
    (void)random.next();
    NumpyGenerator copy = random;
    EXPECT_EQ(copy.next(), random.next());
}

/// Numbers whose square C++ and the C library's pow round to different neighbours.
TEST(NumpyMath, SquaresAsTheCLibraryDoes) {
    EXPECT_EQ(squared(-0x1.02da7daebbb10p+0), 0x1.05bd1fce7d9c8p+0);
    EXPECT_NE(squared(-0x1.02da7daebbb10p+0), -0x1.02da7daebbb10p+0 * -0x1.02da7daebbb10p+0);
    EXPECT_EQ(squared(-0x1.5516740000000p-3F), 0x1.c674d20000000p-6F);
    EXPECT_NE(squared(-0x1.5516740000000p-3F), -0x1.5516740000000p-3F * -0x1.5516740000000p-3F);
}

TEST(NumpyMath, AModuloIsNeverNegative) {
    EXPECT_EQ(modulo(7.5, 2.0), 1.5);
    EXPECT_EQ(modulo(-7.5, 2.0), 0.5);
    EXPECT_EQ(modulo(-8.0, 2.0), 0.0);
    EXPECT_FALSE(std::signbit(modulo(-8.0, 2.0)));
    EXPECT_TRUE(std::isnan(modulo(std::numeric_limits<double>::infinity(), 2.0)));
}

/// What numpy.sin and numpy.cos give for numpy.float32.
TEST(NumpyMath, SineAndCosineOfSinglePrecisionAreNumpys) {
    struct Row {
        float x, sine, cosine;
    };
    for (const Row& row :
         {Row{0x1.2f40820000000p-4F, 0x1.2ef99a0000000p-4F, 0x1.fe98f00000000p-1F},
          Row{-0x1.363b060000000p-4F, -0x1.35ef1e0000000p-4F, 0x1.fe883c0000000p-1F},
          Row{0x1.dd83ce0000000p-1F, 0x1.9b3cec0000000p-1F, 0x1.3100fc0000000p-1F},
          Row{0x1.7c79da0000000p+0F, 0x1.fe2ba60000000p-1F, 0x1.59f4100000000p-4F},
          Row{-0x1.f134c20000000p+8F, -0x1.7b5a740000000p-1F, 0x1.57da6c0000000p-1F},
          Row{0x1.0a34280000000p+7F, 0x1.d45ec00000000p-1F, 0x1.9da2840000000p-2F},
          Row{0x1.a0aeca0000000p+15F, -0x1.16e51a0000000p-1F, -0x1.ad5f9e0000000p-1F},
          Row{-0x1.dadc960000000p+15F, 0x1.e485b20000000p-1F, 0x1.4af38c0000000p-2F},
          Row{0x0.0p+0F, 0x0.0p+0F, 0x1.0000000000000p+0F},
          Row{0x1.86a0000000000p+16F, 0x1.24daaa0000000p-5F, -0x1.ffac380000000p-1F}}) {
        EXPECT_EQ(single_sin(row.x), row.sine) << row.x;
        EXPECT_EQ(single_cos(row.x), row.cosine) << row.x;
    }
}

TEST(NumpyMath, SineAndCosineOfSinglePrecisionAreNearTheTruth) {
    for (float x = -100.0F; x < 100.0F; x += 0.37F) {
        EXPECT_NEAR(single_sin(x), std::sin(double{x}), 1e-7);
        EXPECT_NEAR(single_cos(x), std::cos(double{x}), 1e-7);
    }
    EXPECT_EQ(single_sin(1e30F), std::sin(1e30F));
    EXPECT_EQ(single_cos(1e30F), std::cos(1e30F));
}

}  // namespace
}  // namespace classic_control
