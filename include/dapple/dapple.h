/* Dapple from C, and from every language that can call C: libdapple.so, C99.
 *
 * Shared rules, written once:
 * - A dapple_context holds what is asked of a run (seed, threads, limits) and what went wrong in
 *   it. One call uses a context at a time; only dapple_cancel() may come from other threads. Any
 *   number of contexts may work at the same time, in any threads.
 * - Every function that can fail returns a dapple_status; message and option at fault stay in the
 *   context until its next call. No exception, abort or signal leaves a call, and nothing that a
 *   caller owns is kept after it: what is handed over is copied.
 * - Options are texts under the names that `dapple --help` and dapple_schema() list, read as the
 *   command line reads them: there is no struct that an option could break.
 * - Same version, operation, options and seed: same bytes, as those of the program, for any number
 *   of threads.
 * - Texts are UTF-8 and end with 0. What a function returns belongs to the handle that it is of,
 *   and lasts as long.
 *
 *     dapple_context* context = dapple_context_new();
 *     dapple_job* job = NULL;
 *     dapple_result* result = NULL;
 *     if (dapple_job_new(context, "mask", &job) || dapple_job_set(job, "size", "64x64") ||
 *         dapple_job_run(job, &result) || dapple_result_save(result, "mask.png")) {
 *       fprintf(stderr, "%s\n", dapple_error_message(context));
 *     }
 *     dapple_result_free(result);
 *     dapple_job_free(job);
 *     dapple_context_free(context);
 */
#ifndef DAPPLE_DAPPLE_H
#define DAPPLE_DAPPLE_H

#include <stddef.h>
#include <stdint.h>

#include "dapple/version.h"

#if defined(__GNUC__)
#define DAPPLE_API __attribute__((visibility("default")))
#else
#define DAPPLE_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What happened. Numbers stay what they are; later versions may add some. */
typedef int32_t dapple_status;
#define DAPPLE_OK 0
#define DAPPLE_USAGE 1        /* options that make no sense, or a call that makes none */
#define DAPPLE_INPUT 2        /* an image, points or a file that cannot be read or used */
#define DAPPLE_OUTPUT 3       /* a file that could not be written */
#define DAPPLE_LIMIT 4        /* more pixels, points or memory than the limits allow, or there is */
#define DAPPLE_VERIFICATION 5 /* a proof asked for did not hold */
#define DAPPLE_CANCELLED 6    /* by dapple_cancel(), or by the function of dapple_set_progress() */
#define DAPPLE_INTERNAL 7     /* a broken promise of the library itself */

/* Types of values in memory. */
typedef int32_t dapple_type;
#define DAPPLE_UINT8 1
#define DAPPLE_UINT16 2
#define DAPPLE_INT32 3
#define DAPPLE_FLOAT32 4
#define DAPPLE_FLOAT64 5

/* Values of an image: channel c of the pixel in column x and row y, from the upper left, lies at
 * data + x * pixel_stride + y * row_stride + c * channel_stride, in bytes, which may be negative.
 * Integers stand for 0..1 of sRGB, as in files; floats are linear light, or plain data. */
typedef struct dapple_image {
  const void* data;
  dapple_type type;
  int32_t width;
  int32_t height;
  int32_t channels; /* 1: gray, 2: gray and alpha, 3: RGB, 4: RGB and alpha */
  ptrdiff_t pixel_stride;
  ptrdiff_t row_stride;
  ptrdiff_t channel_stride;
} dapple_image;

/* Numbers of points: that of point i lies at data + i * stride, in bytes. */
typedef struct dapple_column {
  const char* name; /* x, y, z, w, r, class, rank, size, rotation; of results others, too */
  const void* data;
  dapple_type type;
  size_t count;
  ptrdiff_t stride;
} dapple_column;

/* A channel of a result: rows are packed. Images in slices (frames, layers of a volume) hold them
 * one below the other. Masks have their ranks beside their values, as `rank`, or `rank.R` and so
 * on where there are several channels. */
typedef struct dapple_plane {
  const char* name;
  const void* data;
  dapple_type type;
  int32_t width;
  int32_t height; /* of all slices */
  int32_t slices;
} dapple_plane;

typedef struct dapple_context dapple_context;
typedef struct dapple_job dapple_job;
typedef struct dapple_result dapple_result;

/* ---- the library -------------------------------------------------------------------------- */

/* Of the library that is loaded, such as "0.1.0"; the macros of version.h are that of the header.
 */
DAPPLE_API const char* dapple_version(void);
/* What a host checks before any other call: a library of another number has another interface.
 * Functions that are added do not change it. */
#define DAPPLE_ABI 0
DAPPLE_API int32_t dapple_abi(void);
/* All operations with their options, types, defaults, ranges and documentation, as the JSON that
 * `dapple schema` prints; NULL where there is no memory for it. Lasts as long as the process. */
DAPPLE_API const char* dapple_schema(void);

/* ---- contexts ----------------------------------------------------------------------------- */

/* NULL where there is no memory. */
DAPPLE_API dapple_context* dapple_context_new(void);
/* Jobs and results of the context are freed before it. */
DAPPLE_API void dapple_context_free(dapple_context* context);
/* The options that every run has: seed, threads, max-pixels, max-memory, allow-format, sandbox. */
DAPPLE_API dapple_status dapple_context_set(dapple_context* context, const char* name,
                                            const char* text);
/* `function` is called in the thread that called the library, at least every 50 ms while a job
 * runs, with the name of its stage and how much of that is done, from 0 to 1. Where it returns
 * anything but 0 the run stops. The job itself works in another thread then. NULL: none. */
typedef int (*dapple_progress)(void* data, const char* stage, double fraction);
DAPPLE_API void dapple_set_progress(dapple_context* context, dapple_progress function, void* data);
/* Stops the call under way, which returns DAPPLE_CANCELLED, or else the next one; from any thread
 * and from signal handlers. */
DAPPLE_API void dapple_cancel(dapple_context* context);
/* What the last call of the context has to say, "" where all was well; and the option at fault, ""
 * where it is none. */
DAPPLE_API const char* dapple_error_message(const dapple_context* context);
DAPPLE_API const char* dapple_error_option(const dapple_context* context);

/* ---- jobs --------------------------------------------------------------------------------- */

/* A job of an operation: sample, stipple, mask, worley or dither. */
DAPPLE_API dapple_status dapple_job_new(dapple_context* context, const char* operation,
                                        dapple_job** job);
DAPPLE_API void dapple_job_free(dapple_job* job);
/* Sets an option of the operation, what is set later wins; `input`: the file of its input;
 * `preset`: all options of a preset, by its name or file. */
DAPPLE_API dapple_status dapple_job_set(dapple_job* job, const char* name, const char* text);
/* All options of a recipe, as TOML. It may name files beside these options: only what is then run
 * opens them. */
DAPPLE_API dapple_status dapple_job_set_recipe(dapple_job* job, const char* toml);
/* An image in memory in place of a file: for an option, or NULL for the input. */
DAPPLE_API dapple_status dapple_job_set_image(dapple_job* job, const char* name,
                                              const dapple_image* image);
/* Points for an option, by their columns, of which x and y must be there, in a domain of width x
 * height; wraps: it is a torus. With a column z, from 0 up, they are in a volume no deeper than
 * they need. */
DAPPLE_API dapple_status dapple_job_set_points(dapple_job* job, const char* name,
                                               const dapple_column* columns, size_t count,
                                               double width, double height, int wraps);
/* The same of points in a space of `dimensions` sides: 2; 3, with column z; or 4, with z and w. */
DAPPLE_API dapple_status dapple_job_set_points_in(dapple_job* job, const char* name,
                                                  const dapple_column* columns, size_t count,
                                                  const double* sides, size_t dimensions,
                                                  int wraps);
/* Runs it, once. */
DAPPLE_API dapple_status dapple_job_run(dapple_job* job, dapple_result** result);

/* ---- results ------------------------------------------------------------------------------ */

/* Results of what a caller has: points by their columns, as above, in a plane or in a space of
 * `dimensions` sides; points in a file; and the values of a mask. They are measured, encoded and
 * saved as those of jobs are, by no recipe. */
DAPPLE_API dapple_status dapple_points(dapple_context* context, const dapple_column* columns,
                                       size_t count, double width, double height, int wraps,
                                       dapple_result** result);
DAPPLE_API dapple_status dapple_points_in(dapple_context* context, const dapple_column* columns,
                                          size_t count, const double* sides, size_t dimensions,
                                          int wraps, dapple_result** result);
DAPPLE_API dapple_status dapple_points_file(dapple_context* context, const char* path,
                                            dapple_result** result);
DAPPLE_API dapple_status dapple_mask(dapple_context* context, const dapple_image* image,
                                     dapple_result** result);
/* The recipe, as TOML, that a file carries which Dapple made, whoever sent it: what it names is
 * opened by whoever runs it. Lasts until the next call of it. */
DAPPLE_API dapple_status dapple_recipe_in(dapple_context* context, const char* path,
                                          const char** toml);
DAPPLE_API void dapple_result_free(dapple_result* result);
/* Columns of its points, dots or sites, and channels of its image, by number from 0. Each lasts as
 * long as the result. DAPPLE_USAGE where there is none of that number. */
DAPPLE_API dapple_status dapple_result_column(dapple_result* result, size_t index,
                                              dapple_column* column);
DAPPLE_API dapple_status dapple_result_plane(dapple_result* result, size_t index,
                                             dapple_plane* plane);
/* Facts, as JSON: operation, version, seed, number of points, domain or size, the recipe as TOML,
 * warnings, and for drawings what a plotter would take. */
DAPPLE_API dapple_status dapple_result_facts(dapple_result* result, const char** json);
/* The figures that `dapple analyze` prints, as JSON; takes time. */
DAPPLE_API dapple_status dapple_result_report(dapple_result* result, const char** json);
/* Proves that its points, of one radius, keep their distance and leave no room for another, or that
 * every rank of its mask is there once: DAPPLE_VERIFICATION, with the place at fault, where it does
 * not hold. Takes time. */
DAPPLE_API dapple_status dapple_result_certify(dapple_result* result);
/* An order of its points for a pen, as their numbers from 0, by `travel` (short ways) or `hilbert`
 * (along a curve). Lasts until the next call of it. */
DAPPLE_API dapple_status dapple_result_order(dapple_result* result, const char* by,
                                             dapple_column* column);
/* A curve of its points in the plane, or of the values of its image, as a result that has columns,
 * planes and facts alone. `options`: names and values in turns, then NULL; or NULL. Takes time:
 * O(N log N) for points, O(pixels log pixels) for images.
 *
 * - power-spectrum: plane `power` by frequency, white noise = 1. Column i and row j of it hold the
 *   frequency (i step_x, (j - zero_row) step_y), of which the facts tell; negative where nothing is
 *   known. Points: in units of sqrt(N / area), up to 4; images: in cycles a pixel. Options channel
 *   and slice: of an image (the first).
 * - radial-power: columns frequency, outer, power, anisotropy, count, of rings of that spectrum.
 *   Options width: of a ring (0: a step); least: frequencies in a ring (16); channel and slice.
 * - pair-correlation: columns r, the middle of each bin in pixels, and g. Options farthest: up to
 *   which distance, at most half of the shorter side of a torus and nine tenths of that of a flat
 *   domain; bins (100). */
DAPPLE_API dapple_status dapple_result_curve(dapple_result* result, const char* curve,
                                             const char* const* options, dapple_result** made);
/* A file, in the format of its extension, with the recipe; whole or not at all. */
DAPPLE_API dapple_status dapple_result_save(dapple_result* result, const char* path);
/* The bytes of such a file: "svg", "png", ... */
DAPPLE_API dapple_status dapple_result_encode(dapple_result* result, const char* extension,
                                              const void** bytes, size_t* count);

/* ---- into memory of the caller ------------------------------------------------------------ */

/* Points at least `radius` apart in a box of width x height pixels, between which no other fits, as
 * x and y in turns into xy, which has room for `capacity` points. *count: how many there are; where
 * these are more than the room, none is written and the status is DAPPLE_LIMIT. */
DAPPLE_API dapple_status dapple_even_points(dapple_context* context, double width, double height,
                                            double radius, int wraps, double* xy, size_t capacity,
                                            size_t* count);
/* A blue-noise mask: ranks from 0 to width * height - 1, each once, in rows of row_stride bytes. */
DAPPLE_API dapple_status dapple_mask_ranks(dapple_context* context, int32_t width, int32_t height,
                                           int32_t* ranks, ptrdiff_t row_stride);
/* Distances from the middle of every pixel of a torus of width x height pixels to the nearest of
 * `count` points, x and y in turns, and to the next; rows are packed; f2 may be NULL. */
DAPPLE_API dapple_status dapple_cell_distances(dapple_context* context, const double* xy,
                                               size_t count, int32_t width, int32_t height,
                                               float* f1, float* f2);

#ifdef __cplusplus
}
#endif

#endif
