// Names of earlier versions, which the next one removes.
#pragma once

#include "dapple/certificate.hpp"

namespace dapple {

using VolumeCertificate [[deprecated("use Certificate")]] = Certificate;
using InsideCertificate [[deprecated("use Certificate")]] = Certificate;
using SurfaceCertificate [[deprecated("use Certificate")]] = Certificate;
using ClassCertificate [[deprecated("use Certificate")]] = Certificate;

}  // namespace dapple
