/* Dapple from C, and from every language that can call C: libdapple.so, C99.
 *
 * Rules for all functions:
 * - A dapple_context holds the settings of a run (seed, threads, limits) and its last error. One
 *   call uses a context at a time; only dapple_cancel() may come from other threads. Any number of
 *   contexts may work at the same time, in any threads.
 * - Every function that can fail returns a dapple_status. The message and the option at fault stay
 *   in the context until its next call. No exception, abort or signal leaves a call. Arguments are
 *   copied: no call keeps memory of the caller.
 * - Options are texts under the names that `dapple --help` and dapple_schema() list. They are read
 *   as on the command line, so a new option changes no struct.
 * - Equal version, operation, options and seed give the program's bytes, for any number of threads.
 * - Texts are UTF-8 and end with 0. A returned pointer belongs to the handle that was passed, and
 *   lasts as long as the handle.
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

/* The outcome of a call. Numbers never change; later versions may add some. */
typedef int32_t dapple_status;
#define DAPPLE_OK 0
#define DAPPLE_USAGE 1        /* invalid options, or an invalid call */
#define DAPPLE_INPUT 2        /* an image, points or a file that cannot be read or used */
#define DAPPLE_OUTPUT 3       /* a file that could not be written */
#define DAPPLE_LIMIT 4        /* more pixels, points or memory than limits or machine allow */
#define DAPPLE_VERIFICATION 5 /* a requested proof failed */
#define DAPPLE_CANCELLED 6    /* by dapple_cancel(), or by the progress function */
#define DAPPLE_INTERNAL 7     /* an error of the library itself */

/* The type of values in memory. */
typedef int32_t dapple_type;
#define DAPPLE_UINT8 1
#define DAPPLE_UINT16 2
#define DAPPLE_INT32 3
#define DAPPLE_FLOAT32 4
#define DAPPLE_FLOAT64 5

/* The values of an image. Channel c of the pixel in column x and row y, from the upper left, lies
 * at data + x * pixel_stride + y * row_stride + c * channel_stride. Strides are in bytes and may be
 * negative. Unsigned integers of 8 and 16 bits stand for 0..1 of sRGB, as in files; floats are
 * linear light, or plain data. Images of other integers are errors. */
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

/* One column of numbers of points. The number of point i lies at data + i * stride, in bytes. */
typedef struct dapple_column {
  const char* name; /* x, y, z, w, r, class, rank, size, rotation; results have others, too */
  const void* data;
  dapple_type type;
  size_t count;
  ptrdiff_t stride;
} dapple_column;

/* A channel of a result, in packed rows. Images in slices (frames, layers of a volume) hold the
 * slices one below the other. Masks also have planes of ranks: `rank`, or `rank.R` and so on if
 * there are several channels. */
typedef struct dapple_plane {
  const char* name;
  const void* data;
  dapple_type type;
  int32_t width;
  int32_t height; /* of all slices together */
  int32_t slices;
} dapple_plane;

typedef struct dapple_context dapple_context;
typedef struct dapple_job dapple_job;
typedef struct dapple_result dapple_result;

/* ---- the library -------------------------------------------------------------------------- */

/* Returns the version of the loaded library, such as "0.1.0"; version.h has the header's. */
DAPPLE_API const char* dapple_version(void);
/* The number of the interface. A host compares it with dapple_abi() before any other call. A
 * library with another number has another interface; added functions do not change the number. */
#define DAPPLE_ABI 0
DAPPLE_API int32_t dapple_abi(void);
/* Returns all operations with their options, types, defaults, ranges and documentation, as the JSON
 * that `dapple schema` prints, or NULL if memory is short. Lasts as long as the process. */
DAPPLE_API const char* dapple_schema(void);

/* ---- contexts ----------------------------------------------------------------------------- */

/* Returns NULL if memory is short. */
DAPPLE_API dapple_context* dapple_context_new(void);
/* Frees a context. Its jobs and results must be freed before. */
DAPPLE_API void dapple_context_free(dapple_context* context);
/* Sets an option of every run: seed, threads, max-pixels, max-memory, allow-format, sandbox. */
DAPPLE_API dapple_status dapple_context_set(dapple_context* context, const char* name,
                                            const char* text);
/* Reports progress to `function`, in the thread that called the library, about every 40 ms while a
 * job runs. It receives the name of the stage and the fraction done, from 0 to 1. A result other
 * than 0 stops the run. NULL: no reports. */
typedef int (*dapple_progress)(void* data, const char* stage, double fraction);
DAPPLE_API void dapple_set_progress(dapple_context* context, dapple_progress function, void* data);
/* Stops the current call, or the next call if none is running. The stopped call returns
 * DAPPLE_CANCELLED. Any thread and any signal handler may call it. */
DAPPLE_API void dapple_cancel(dapple_context* context);
/* Returns the message of the context's last error, or "" if its last call succeeded. */
DAPPLE_API const char* dapple_error_message(const dapple_context* context);
/* Returns the option at fault, or "" if there is none. */
DAPPLE_API const char* dapple_error_option(const dapple_context* context);

/* ---- jobs --------------------------------------------------------------------------------- */

/* Makes a job of an operation: sample, stipple, mask, worley or dither. */
DAPPLE_API dapple_status dapple_job_new(dapple_context* context, const char* operation,
                                        dapple_job** job);
DAPPLE_API void dapple_job_free(dapple_job* job);
/* Sets an option of the operation; a later value replaces an earlier one. The name `input` sets the
 * input file, and `preset` sets all options of a preset, given by its name or file. */
DAPPLE_API dapple_status dapple_job_set(dapple_job* job, const char* name, const char* text);
/* Sets all options of a recipe, as TOML. The recipe may name files; only the run opens them. */
DAPPLE_API dapple_status dapple_job_set_recipe(dapple_job* job, const char* toml);
/* Sets an image in memory in place of a file. `name` is an option, or NULL for the input. */
DAPPLE_API dapple_status dapple_job_set_image(dapple_job* job, const char* name,
                                              const dapple_image* image);
/* As above, of an image that holds `slices` slices of equal height, one below the other: the frames
 * of an animation, or the layers of a volume. */
DAPPLE_API dapple_status dapple_job_set_slices(dapple_job* job, const char* name,
                                               const dapple_image* image, int32_t slices);
/* Sets a mesh for an option such as `on` or `in`. Columns x, y and z hold the places of its
 * vertices, others further numbers of them, such as `density`. A triangle is three numbers of
 * vertices, from 0, counterclockwise seen from the front. */
DAPPLE_API dapple_status dapple_job_set_mesh(dapple_job* job, const char* name,
                                             const dapple_column* columns, size_t count,
                                             const int32_t* triangles, size_t triangle_count);
/* Sets points for an option, by their columns; x and y are required. The domain is width x height,
 * a torus if `wraps`. With a column z, from 0 up, they lie in a volume just deep enough. */
DAPPLE_API dapple_status dapple_job_set_points(dapple_job* job, const char* name,
                                               const dapple_column* columns, size_t count,
                                               double width, double height, int wraps);
/* As above, but in a space of `dimensions` sides: 2; 3 with column z; or 4 with columns z and w. */
DAPPLE_API dapple_status dapple_job_set_points_in(dapple_job* job, const char* name,
                                                  const dapple_column* columns, size_t count,
                                                  const double* sides, size_t dimensions,
                                                  int wraps);
/* Runs a job. A job runs only once. */
DAPPLE_API dapple_status dapple_job_run(dapple_job* job, dapple_result** result);

/* ---- results ------------------------------------------------------------------------------ */

/* Makes a result from data of the caller: points by their columns (see above), in a plane or in a
 * space of `dimensions` sides; points in a file; or the values of a mask. The result is measured,
 * encoded and saved as the result of a job is, but has no recipe. */
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
/* Returns the recipe, as TOML, that a file made by Dapple carries. The file may come from a
 * stranger, and running the recipe opens the files that it names. `toml` lasts until the next call
 * of this function. */
DAPPLE_API dapple_status dapple_recipe_in(dapple_context* context, const char* path,
                                          const char** toml);
DAPPLE_API void dapple_result_free(dapple_result* result);
/* Returns a column of the points, dots or sites, or a channel of the image, by number from 0. Both
 * last as long as the result. The status is DAPPLE_USAGE if the number is too large. */
DAPPLE_API dapple_status dapple_result_column(dapple_result* result, size_t index,
                                              dapple_column* column);
DAPPLE_API dapple_status dapple_result_plane(dapple_result* result, size_t index,
                                             dapple_plane* plane);
/* Returns facts as JSON: operation, version, seed, number of points, domain or size, the recipe as
 * TOML, warnings, and for drawings the cost of a plot. */
DAPPLE_API dapple_status dapple_result_facts(dapple_result* result, const char** json);
/* Returns the figures that `dapple analyze` prints, as JSON. Takes time. */
DAPPLE_API dapple_status dapple_result_report(dapple_result* result, const char** json);
/* Proves that points of one radius keep their distance and leave no room for another. Proves that a
 * mask has every rank once. Otherwise returns DAPPLE_VERIFICATION, with the place at fault in the
 * message. Takes time. */
DAPPLE_API dapple_status dapple_result_certify(dapple_result* result);
/* Returns an order of the points for a pen, as point numbers from 0. `by` is `travel` (short paths)
 * or `hilbert` (along a curve). `column` lasts until the next call of this function. */
DAPPLE_API dapple_status dapple_result_order(dapple_result* result, const char* by,
                                             dapple_column* column);
/* Makes a curve of points in the plane, or of the values of an image. The result has only columns,
 * planes and facts. `options` holds names and values in turn, then NULL; or it is NULL. Takes
 * O(N log N) for points, O(pixels log pixels) for images.
 *
 * - power-spectrum: plane `power` by frequency, white noise = 1. Column i and row j hold the
 *   frequency (i step_x, (j - zero_row) step_y); the facts hold the steps and zero_row. Unknown
 *   power is negative. Frequencies are in units of sqrt(N / area), up to 4, for points, and in
 *   cycles per pixel for images. Options: channel and slice of an image (the first).
 * - radial-power: columns frequency, outer, power, anisotropy, count, for rings of the spectrum.
 *   Options: width of a ring (0: one step); least, frequencies per ring (16); channel and slice.
 * - pair-correlation: columns r, the middle of each bin in pixels, and g. Options: farthest, the
 *   largest distance, at most 0.5 of the shorter side on a torus, 0.9 of it on a flat domain; bins
 *   (100). */
DAPPLE_API dapple_status dapple_result_curve(dapple_result* result, const char* curve,
                                             const char* const* options, dapple_result** made);
/* Writes a whole file, or none, with the recipe, in the format of the extension of `path`. */
DAPPLE_API dapple_status dapple_result_save(dapple_result* result, const char* path);
/* As above, but returns the bytes of the file; `extension` is "svg", "png", ... */
DAPPLE_API dapple_status dapple_result_encode(dapple_result* result, const char* extension,
                                              const void** bytes, size_t* count);

/* ---- into memory of the caller ------------------------------------------------------------ */

/* Writes points at least `radius` apart in a box of width x height pixels, with no room for
 * another. `xy` receives x and y in turn and has room for `capacity` points; *count is the number
 * of points. If it exceeds `capacity`, nothing is written and the status is DAPPLE_LIMIT. */
DAPPLE_API dapple_status dapple_even_points(dapple_context* context, double width, double height,
                                            double radius, int wraps, double* xy, size_t capacity,
                                            size_t* count);
/* Writes a blue-noise mask: each rank from 0 to width * height - 1 once, in rows of row_stride
 * bytes. */
DAPPLE_API dapple_status dapple_mask_ranks(dapple_context* context, int32_t width, int32_t height,
                                           int32_t* ranks, ptrdiff_t row_stride);
/* Writes distances from the middle of each pixel of a torus of width x height pixels. `f1` receives
 * the distance to the nearest of `count` points, and `f2`, which may be NULL, to the next. `xy`
 * holds x and y in turn; rows are packed. */
DAPPLE_API dapple_status dapple_cell_distances(dapple_context* context, const double* xy,
                                               size_t count, int32_t width, int32_t height,
                                               float* f1, float* f2);

#ifdef __cplusplus
}
#endif

#endif
