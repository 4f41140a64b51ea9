#include "app/io/zip.h"

#include "app/language/language.h"

#include <algorithm>
#include <limits>
#include <zlib.h>

namespace normscope {

namespace {

constexpr std::size_t k_chunk = std::size_t{1} << 18;

// zlib's state, released when it goes.
struct Inflater {
    explicit Inflater(Packing packing) {
        const int window_bits = packing == Packing::gzip ? MAX_WBITS + 16 : -MAX_WBITS;
        ready = ::inflateInit2(&stream, window_bits) == Z_OK;
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() { ::inflateEnd(&stream); }

    z_stream stream{};
    bool ready = false;
};

} // namespace

Result<std::string> unpack(std::string_view packed, Packing packing, std::uint64_t most,
                           std::string_view file_name) {
    const std::string name(file_name);
    Inflater inflater(packing);
    if (!inflater.ready)
        return fail(name + worded(": could not be unpacked: there is no memory for it."));
    z_stream& stream = inflater.stream;
    std::string out;
    std::size_t filled = 0;
    for (;;) {
        if (stream.avail_in == 0 && !packed.empty()) {
            const std::size_t count =
                std::min<std::size_t>(packed.size(), std::numeric_limits<uInt>::max());
            // zlib reads through a pointer to bytes that it might write.
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
            stream.avail_in = static_cast<uInt>(count);
            packed.remove_prefix(count);
        }
        if (filled == out.size()) // up to one byte too many, which tells that there are more
            out.resize(std::min<std::uint64_t>(filled + std::max(filled, k_chunk), most + 1));
        const std::size_t room =
            std::min<std::size_t>(out.size() - filled, std::numeric_limits<uInt>::max());
        stream.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
        stream.avail_out = static_cast<uInt>(room);
        const int state = ::inflate(&stream, Z_NO_FLUSH);
        filled += room - stream.avail_out;
        if (filled > most)
            return fail(name + worded(": unpacks to more than ") + std::to_string(most >> 20) +
                        worded(" MiB: expected at most that."));
        if (state == Z_STREAM_END) {
            const std::string_view rest(reinterpret_cast<const char*>(stream.next_in),
                                        stream.avail_in);
            if (packing == Packing::deflate || !rest.starts_with(k_gzip_magic)) break;
            ::inflateReset(&stream);
        } else if (state == Z_BUF_ERROR || (state == Z_OK && stream.avail_in == 0 &&
                                            packed.empty() && stream.avail_out > 0)) {
            return fail(
                name + worded(": the packed data end too early, after ") + std::to_string(filled) +
                worded(" unpacked bytes: expected the whole file (download or copy it again)."));
        } else if (state == Z_MEM_ERROR) {
            return fail(name + worded(": could not be unpacked: there is no memory for it."));
        } else if (state != Z_OK) {
            return fail(
                name + worded(": the packed data are damaged after ") + std::to_string(filled) +
                worded(" unpacked bytes: expected the file as it was written (download or copy it "
                       "again)."));
        }
    }
    out.resize(filled);
    return out;
}

} // namespace normscope
