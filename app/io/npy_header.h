#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The header of a .npy file: a Python dict literal such as
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
namespace normscope {

struct NpyHeader {
    std::string descr; // byte order, kind and size: "<f4"
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;
    std::size_t data_offset = 0; // where the values begin
};

// Magic, version, length and dict. The error begins with `file_name`.
Result<NpyHeader> read_npy_header(std::string_view bytes, std::string_view file_name);

// The bytes before the values, padded to a multiple of 64, version 1.0, C order.
std::string write_npy_header(std::string_view descr, const std::vector<std::uint64_t>& shape);

} // namespace normscope
