// Stands in for a function of libtiff, which OpenImageIO calls in a TIFF that takes more than five
// seconds, to keep what is done so far: the bytes of the file would depend on the time that it
// took, and files that are not done are thrown away here anyway. The linker takes the first that it
// finds for OpenImageIO, and the module comes before its libraries.

struct tiff;

extern "C" {
__attribute__((visibility("default"))) int TIFFCheckpointDirectory(tiff* file);

int TIFFCheckpointDirectory(tiff* /*file*/) {
  return 1;  // it went well
}
}
