#include "core/figures/raster_transform.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/figures/raster_transform.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/deterministic_math.hpp"
#include "core/lanes.hpp"
#include "core/parallel.hpp"

#ifndef DAPPLE_COMPLEX_RUN
#define DAPPLE_COMPLEX_RUN
namespace dapple {
namespace {

template <class T>
struct ComplexRun {
  T* real;
  T* imaginary;

  ComplexRun operator+(std::ptrdiff_t i) const { return {real + i, imaginary + i}; }
};
template <class T>
struct Turn {
  T cosine, sine;
};
template <class T>
struct Circle {
  int parts;
  const T* cosine;
  const T* sine;

  Turn<T> operator[](std::int64_t part) const { return {cosine[part % parts], sine[part % parts]}; }
};

}  // namespace
}  // namespace dapple
#endif

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
// Stores the sum of two runs, then their difference turned by `by`.
template <class T>
void halve(ComplexRun<T> one, ComplexRun<T> other, ComplexRun<T> to, std::ptrdiff_t run,
           Turn<T> by) {
  each_vector<T, 16>(run, [&](auto vector, std::ptrdiff_t i) {
    using Vector = decltype(vector);
    const Vector a = Vector::load(one.real + i);
    const Vector b = Vector::load(one.imaginary + i);
    const Vector e = Vector::load(other.real + i);
    const Vector f = Vector::load(other.imaginary + i);
    const Vector x = a - e;
    const Vector y = b - f;
    (a + e).store(to.real + i);
    (b + f).store(to.imaginary + i);
    (x * by.cosine - y * by.sine).store(to.real + run + i);
    (x * by.sine + y * by.cosine).store(to.imaginary + run + i);
  });
}

// Stores the sum of several runs that lie `apart`, each turned.
template <class T>
void turn(ComplexRun<T> from, std::ptrdiff_t apart, ComplexRun<T> to, std::ptrdiff_t run,
          std::span<const Turn<T>> turns) {
  each_vector<T, 16>(run, [&](auto vector, std::ptrdiff_t i) {
    using Vector = decltype(vector);
    Vector re = T(0);
    Vector im = T(0);
    ComplexRun<T> at = from + i;
    for (const Turn<T>& by : turns) {
      const Vector a = Vector::load(at.real);
      const Vector b = Vector::load(at.imaginary);
      re += a * by.cosine - b * by.sine;
      im += a * by.sine + b * by.cosine;
      at = at + apart;
    }
    re.store(to.real + i);
    im.store(to.imaginary + i);
  });
}

// Transforms `lines` lines side by side, one factor per pass. Passes alternate between two buffers.
template <class T>
void transform(std::span<const int> factors, Circle<T> circle, std::ptrdiff_t lines,
               ComplexRun<T> from, ComplexRun<T> to) {
  const int length = circle.parts;
  int n = length;        // length of the transforms that are left
  std::ptrdiff_t s = 1;  // number of these transforms
  std::vector<Turn<T>> turns;
  for (const int p : factors) {
    const int m = n / p;
    const std::ptrdiff_t run = s * lines;
    for (int q = 0; q < m && p == 2; ++q) {
      halve(from + q * run, from + (q + m) * run, to + 2 * q * run, run, circle[q * (length / n)]);
    }
    for (int q = 0; q < m && p > 2; ++q) {
      for (std::int64_t r = 0; r < p; ++r) {
        turns.clear();
        for (int j = 0; j < p; ++j) {
          turns.push_back(circle[r * (q * (length / n) + j * (length / p))]);
        }
        turn<T>(from + q * run, m * run, to + static_cast<std::ptrdiff_t>(p * q + r) * run, run,
                turns);
      }
    }
    std::swap(from, to);
    n = m;
    s *= p;
  }
}

void transform_floats(std::span<const int> factors, Circle<float> circle, std::ptrdiff_t lines,
                      ComplexRun<float> from, ComplexRun<float> to) {
  transform(factors, circle, lines, from, to);
}
void transform_doubles(std::span<const int> factors, Circle<double> circle, std::ptrdiff_t lines,
                       ComplexRun<double> from, ComplexRun<double> to) {
  transform(factors, circle, lines, from, to);
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple {
namespace {

HWY_EXPORT(transform_floats);
HWY_EXPORT(transform_doubles);

constexpr int most_together = 16;  // lines

std::size_t size_of(int a, int b) {
  return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
}

// Calls work(first, count) for groups of lines of nearly the same size.
template <class Work>
void for_groups(int lines, Context& context, const Work& work) {
  const int groups = (lines + most_together - 1) / most_together;
  parallel_for(context, static_cast<std::size_t>(groups), [&](std::size_t group) {
    const auto start = [&](std::size_t g) {
      return static_cast<int>(g * static_cast<std::size_t>(lines) /
                              static_cast<std::size_t>(groups));
    };
    work(start(group), start(group + 1) - start(group));
  });
}

}  // namespace

template <class T>
RasterTransform<T>::Axis::Axis(int of) : length(of) {
  int left = of;
  for (int p = 2; left > 1; ++p) {
    for (; left % p == 0; left /= p) factors.push_back(p);
    if (p * p > left && left > 1) p = left - 1;
  }
  for (int i = 0; i < of; ++i) {
    const double turns = static_cast<double>(i) / of;
    cosine.push_back(static_cast<T>(portable_cosine(turns)));
    sine.push_back(-static_cast<T>(portable_sine(turns)));
  }
}

template <class T>
RasterTransform<T>::Lines::Lines(int length, int count)
    : real(size_of(length, count)), imaginary(size_of(length, count)) {}

template <class T>
void RasterTransform<T>::transform(const Axis& axis, int count, Lines& lines) {
  Lines spare(axis.length, count);
  const auto run = [](Lines& of) { return ComplexRun<T>{of.real.data(), of.imaginary.data()}; };
  const Circle<T> circle{axis.length, axis.cosine.data(), axis.sine.data()};
  if constexpr (std::is_same_v<T, float>) {
    HWY_DYNAMIC_DISPATCH(transform_floats)(axis.factors, circle, count, run(lines), run(spare));
  } else {
    HWY_DYNAMIC_DISPATCH(transform_doubles)(axis.factors, circle, count, run(lines), run(spare));
  }
  if (axis.factors.size() % 2 != 0) std::swap(lines, spare);
}

template <class T>
Plane<std::complex<T>> RasterTransform<T>::operator()(int columns, const FillRows& fill,
                                                      Context& context) const {
  const int width = across_.length;
  const int height = down_.length;
  Plane<std::complex<T>> result(columns, height);
  for_groups(height, context, [&](int first, int count) {
    std::vector<T> rows(size_of(width, count));
    fill(first, count, rows.data());
    Lines lines(width, count);
    for (int x = 0; x < width; ++x) {
      for (int y = 0; y < count; ++y) {
        lines.real[size_of(x, count) + static_cast<std::size_t>(y)] =
            rows[size_of(y, width) + static_cast<std::size_t>(x)];
      }
    }
    transform(across_, count, lines);
    for (int y = 0; y < count; ++y) {
      for (int x = 0; x < columns; ++x) {
        const std::size_t k = size_of(x, count) + static_cast<std::size_t>(y);
        result(x, first + y) = {lines.real[k], lines.imaginary[k]};
      }
    }
  });
  for_groups(columns, context, [&](int first, int count) {
    Lines lines(height, count);
    std::size_t k = 0;
    for (int y = 0; y < height; ++y) {
      for (int i = 0; i < count; ++i, ++k) {
        lines.real[k] = result(first + i, y).real();
        lines.imaginary[k] = result(first + i, y).imag();
      }
    }
    transform(down_, count, lines);
    k = 0;
    for (int y = 0; y < height; ++y) {
      for (int i = 0; i < count; ++i, ++k) {
        result(first + i, y) = {lines.real[k], lines.imaginary[k]};
      }
    }
  });
  return result;
}

template class RasterTransform<float>;
template class RasterTransform<double>;

}  // namespace dapple
#endif
