#include "app/io/zip.h"

#include "app/io/safetensors/element_type.h"
#include "app/io/table.h"
#include "app/io/text.h"
#include "app/language/language.h"

#include <algorithm>
#include <limits>
#include <zlib.h>

namespace normscope {

namespace {

// APPNOTE.TXT 4.3: records that begin with a signature, their numbers little-endian.
constexpr std::string_view k_local = "PK\x03\x04";
constexpr std::string_view k_entry{"PK\x01\x02", 4};
constexpr std::string_view k_end{"PK\x05\x06", 4};
constexpr std::size_t k_local_bytes = 30;
constexpr std::size_t k_entry_bytes = 46;
constexpr std::size_t k_end_bytes = 22;
constexpr std::size_t k_longest_comment = 65535;
constexpr std::uint64_t k_elsewhere = 0xFFFFFFFF; // in a zip64 record
constexpr std::uint64_t k_stored = 0;
constexpr std::uint64_t k_deflated = 8;

tl::unexpected<Error> fail_damaged(std::string_view name) {
    return fail("{}: the zip archive is damaged or cut short: expected the whole file "
                "(download or copy it again).",
                std::string(name));
}

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

bool is_zip(std::string_view bytes) {
    return bytes.starts_with(k_local) || bytes.starts_with(k_end);
}

Result<std::vector<ZipMember>> list_zip(std::string_view bytes, std::string_view file_name) {
    const std::size_t reach = std::min(bytes.size(), k_longest_comment + k_end_bytes);
    const std::string_view tail = bytes.substr(bytes.size() - reach);
    const std::size_t end = tail.rfind(k_end);
    if (end == tail.npos || tail.size() - end < k_end_bytes) return fail_damaged(file_name);
    const std::size_t count = little_endian(tail, end + 10, 2);
    std::size_t at = little_endian(tail, end + 16, 4);
    std::vector<ZipMember> members;
    for (std::size_t i = 0; i < count; ++i) {
        if (at > bytes.size() || bytes.size() - at < k_entry_bytes) return fail_damaged(file_name);
        const std::string_view entry = bytes.substr(at);
        const std::size_t name_bytes = little_endian(entry, 28, 2);
        const std::size_t whole =
            k_entry_bytes + name_bytes + little_endian(entry, 30, 2) + little_endian(entry, 32, 2);
        if (!entry.starts_with(k_entry) || entry.size() < whole) return fail_damaged(file_name);
        ZipMember member;
        member.name = entry.substr(k_entry_bytes, name_bytes);
        member.encrypted = (little_endian(entry, 8, 2) & 1) != 0;
        member.method = little_endian(entry, 10, 2);
        member.crc = little_endian(entry, 16, 4);
        member.packed = little_endian(entry, 20, 4);
        member.size = little_endian(entry, 24, 4);
        member.header = little_endian(entry, 42, 4);
        if (member.packed == k_elsewhere || member.size == k_elsewhere ||
            member.header == k_elsewhere)
            return fail("{}: {} in it is larger than 4 GiB: expected at most {} MiB.",
                        std::string(file_name), quote_for_message(member.name),
                        k_max_unpacked_bytes >> 20);
        members.push_back(std::move(member));
        at += whole;
    }
    return members;
}

Result<std::string> read_zip_member(std::string_view bytes, const ZipMember& member,
                                    std::string_view file_name) {
    const std::string name = std::string(file_name) + ": " + quote_for_message(member.name);
    if (member.encrypted)
        return fail("{} in it is encrypted: expected an array without a password.", name);
    if (member.method != k_stored && member.method != k_deflated)
        return fail("{} in it is packed in a way that is not read: expected it stored or "
                    "deflated, as numpy writes it.",
                    name);
    if (member.header > bytes.size() || bytes.size() - member.header < k_local_bytes)
        return fail_damaged(file_name);
    const std::string_view local = bytes.substr(member.header);
    const std::size_t begin =
        k_local_bytes + little_endian(local, 26, 2) + little_endian(local, 28, 2);
    if (!local.starts_with(k_local) || local.size() < begin || local.size() - begin < member.packed)
        return fail_damaged(file_name);
    const std::string_view packed = local.substr(begin, member.packed);
    if (member.size > k_max_unpacked_bytes)
        return fail("{} in it unpacks to more than {} MiB: expected at most that.", name,
                    k_max_unpacked_bytes >> 20);
    std::string data(member.method == k_stored ? packed : std::string_view());
    if (member.method == k_deflated)
        data = TRY(unpack(packed, Packing::deflate, k_max_unpacked_bytes, name));
    const auto* const begins = reinterpret_cast<const Bytef*>(data.data());
    if (data.size() != member.size || ::crc32_z(0, begins, data.size()) != member.crc)
        return fail_damaged(file_name);
    return data;
}

Result<std::string> unpack(std::string_view packed, Packing packing, std::uint64_t most,
                           std::string_view file_name) {
    static_assert(std::max(k_max_file_bytes, k_max_unpacked_bytes) <=
                  std::numeric_limits<uInt>::max());
    const std::string name(file_name);
    Inflater inflater(packing);
    if (!inflater.ready) return fail("{}: could not be unpacked: there is no memory for it.", name);
    z_stream& stream = inflater.stream;
    // zlib reads through a pointer to bytes that it might write.
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    std::string out;
    std::size_t filled = 0;
    for (;;) {
        if (filled == out.size()) // up to one byte too many, which tells that there are more
            out.resize(std::min<std::uint64_t>(filled + std::max(filled, k_chunk), most + 1));
        stream.next_out = reinterpret_cast<Bytef*>(out.data() + filled);
        stream.avail_out = static_cast<uInt>(out.size() - filled);
        const int state = ::inflate(&stream, Z_NO_FLUSH);
        filled = out.size() - stream.avail_out;
        if (filled > most)
            return fail("{}: unpacks to more than {} MiB: expected at most that.", name,
                        most >> 20);
        if (state == Z_STREAM_END) {
            const std::string_view rest(reinterpret_cast<const char*>(stream.next_in),
                                        stream.avail_in);
            if (packing == Packing::deflate || !rest.starts_with(k_gzip_magic)) break;
            ::inflateReset(&stream);
        } else if (state == Z_BUF_ERROR) {
            return fail("{}: the packed data end too early, after {} unpacked bytes: "
                        "expected the whole file (download or copy it again).",
                        name, filled);
        } else if (state == Z_MEM_ERROR) {
            return fail("{}: could not be unpacked: there is no memory for it.", name);
        } else if (state != Z_OK) {
            return fail("{}: the packed data are damaged after {} unpacked bytes: expected "
                        "the file as it was written (download or copy it again).",
                        name, filled);
        }
    }
    out.resize(filled);
    return out;
}

std::string pack(std::string_view bytes) {
    z_stream stream{};
    ::deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, MAX_MEM_LEVEL,
                   Z_DEFAULT_STRATEGY);
    std::string out(::deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    ::deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    ::deflateEnd(&stream);
    return out;
}

} // namespace normscope
