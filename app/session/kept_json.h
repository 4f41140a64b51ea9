#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>

// What the program keeps for its user from one start to the next: an object in a file of its own.
namespace normscope {

// Empty where there is no file, or where it holds none.
nlohmann::json load_kept(const std::filesystem::path& file);

// What cannot be kept is no reason to interrupt anyone. The file may be a link of the user's.
void keep_json(const std::filesystem::path& file, const nlohmann::json& json);

} // namespace normscope
