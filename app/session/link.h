#pragma once
#include "app/session/session_file.h"

// A session as the fragment of an address: "#s=" and what differs from the document that the
// program begins with, packed by gzip, in the letters of base64url (RFC 4648, 5).
namespace normscope {

// Characters. Programs for mail and chat cut longer ones.
inline constexpr std::size_t k_longest_link = 8000;

bool is_link(std::string_view text); // an address with a fragment

// The address of `page` that opens the session. `first`: first_document(). Errors: there is no
// page, or the link would be too long.
Result<std::string> write_link(std::string_view page, const SessionCopy& session,
                               const Document& first);
Result<SessionCopy> read_link(std::string_view link, const Document& first);

} // namespace normscope
