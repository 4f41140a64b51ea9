#include "app/shell/files/spoken.h"

#include "app/io/file.h"
#include "app/language/catalogue.h"
#include "core/base/lists.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <mutex>
#include <ranges>
#include <utility>

namespace normscope {
namespace {

std::atomic<const Language*> spoken = nullptr; // English

// Keeps every catalogue that was spoken once: its words may be held anywhere.
const Catalogue* kept(const std::filesystem::path& file, std::string stamp, Catalogue catalogue) {
    static std::mutex one_at_a_time;
    static std::map<std::pair<std::filesystem::path, std::string>, std::unique_ptr<const Catalogue>>
        all;
    const std::lock_guard lock(one_at_a_time);
    auto& place = all[{file, std::move(stamp)}];
    if (!place) place = std::make_unique<const Catalogue>(std::move(catalogue));
    return place.get();
}

} // namespace

Result<std::vector<std::string>> speak_language(const std::filesystem::path& assets,
                                                std::string_view id) {
    speak(nullptr);
    spoken = nullptr;
    if (id.empty()) id = system_language().id;
    if (id == languages().front().id) return {};
    const Language* const language = find_in(languages(), id, &Language::id);
    if (!language)
        return fail("language \"{}\": expected one of {}", std::string(id),
                    joined(languages(), &Language::id));
    ReadCatalogue all;
    std::string stamps;
    const std::filesystem::path folder = assets / "languages";
    for (const std::string& name : {fmt::format("{}.po", id), fmt::format("lessons.{}.po", id)}) {
        const std::filesystem::path file = folder / name;
        const auto bytes = TRY(read_file(file));
        auto part = TRY(read_catalogue(bytes, file.string()));
        all.catalogue.words.merge(part.catalogue.words); // those it does not have
        add_all(all.problems, part.problems);
        stamps += file_stamp(file);
    }
    speak(kept(folder / id, std::move(stamps), std::move(all.catalogue)));
    spoken = language;
    return std::move(all.problems);
}

const Language& spoken_language() {
    const Language* const now = spoken;
    return now ? *now : languages().front();
}

} // namespace normscope
