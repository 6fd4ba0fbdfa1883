// Replaces a function of libtiff. OpenImageIO calls it in a TIFF that takes more than five seconds,
// to keep what is done so far. The bytes of the file would then depend on the time, and incomplete
// files are thrown away here anyway. The linker takes the first definition that it finds for
// OpenImageIO, and the module comes before its libraries.

struct tiff;

extern "C" {
__attribute__((visibility("default"))) int TIFFCheckpointDirectory(tiff* file);

int TIFFCheckpointDirectory(tiff* /*file*/) {
  return 1;  // success
}
}
