/* stipple_from_c PHOTO DRAWING.svg [OPTION VALUE]...: turns a photo into an SVG drawing of dots.
 * Options are texts. The progress function could also stop the job.
 */
#include <dapple/dapple.h>
#include <stdio.h>

static int tell(void* data, const char* stage, double fraction) {
  (void)data;
  fprintf(stderr, "\r%-12s %3.0f %%", stage, 100 * fraction);
  return 0; /* any other value stops the job */
}

int main(int argc, char** argv) {
  dapple_context* context;
  dapple_job* job = NULL;
  dapple_result* result = NULL;
  dapple_column x;
  int failed;
  int i;
  if (argc < 3) {
    fprintf(stderr, "usage: %s PHOTO DRAWING.svg [OPTION VALUE]...\n", argv[0]);
    return 2;
  }
  context = dapple_context_new();
  if (context == NULL) return 1;
  dapple_set_progress(context, tell, NULL);
  failed = dapple_job_new(context, "stipple", &job) || dapple_job_set(job, "input", argv[1]);
  for (i = 3; !failed && i + 1 < argc; i += 2) failed = dapple_job_set(job, argv[i], argv[i + 1]);
  failed = failed || dapple_job_run(job, &result) || dapple_result_save(result, argv[2]) ||
           dapple_result_column(result, 0, &x);
  if (failed) {
    fprintf(stderr, "\n%s\n", dapple_error_message(context));
  } else {
    fprintf(stderr, "\n%s: %lu dots\n", argv[2], (unsigned long)x.count);
  }
  dapple_result_free(result);
  dapple_job_free(job);
  dapple_context_free(context);
  return failed ? 1 : 0;
}
