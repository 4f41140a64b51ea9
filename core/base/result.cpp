#include "core/base/result.h"

namespace normscope {

Error::Error(std::string text, std::string form, std::vector<Error> filling)
    : message(std::move(text)), pattern(std::move(form)), values(std::move(filling)) {}
Error::Error(const Error&) = default;
Error::Error(Error&&) noexcept = default;
Error& Error::operator=(const Error&) = default;
Error& Error::operator=(Error&&) noexcept = default;
Error::~Error() = default;

} // namespace normscope
