#pragma once
#include "app/io/json_reader.h"
#include "app/model/field.h"

#include <charconv>
#include <concepts>
#include <fmt/format.h>
#include <map>

// How a struct is stored is said once: archive(A& a, S& s) calls a(key, member) for each of its
// members, and a Reader or a Writer does the rest. The archive of a struct with a table of settings
// is the table. Values that are not like that have a pair of read_into() and json_of().
namespace normscope {

// Null: there is no value.
nlohmann::ordered_json json_of(const FieldInfo& field, const FieldValue& value);
// A value of the kind of `like`, in its range. Whole numbers are as many as there.
FieldValue read_value(const JsonPlace& place, const FieldInfo& field, const FieldValue& like);

// NaN and ±∞, which JSON has no numbers for, are "NaN", "Infinity" and "-Infinity" ("-NaN" with the
// sign that 0/0 has).
nlohmann::ordered_json json_of(double value);
nlohmann::ordered_json json_of(const std::filesystem::path& path);
nlohmann::ordered_json json_of(const FaderRange& range);
nlohmann::ordered_json json_of(const Matrix<double>& rows);
template<class S>
nlohmann::ordered_json json_of(const S& value);
template<class T>
nlohmann::ordered_json json_of(const std::optional<T>& value);
template<class T>
nlohmann::ordered_json json_of(const Shared<T>& value);
template<class T>
nlohmann::ordered_json json_of(const std::vector<T>& values);
template<class K, class T>
nlohmann::ordered_json json_of(const std::map<K, T>& values);

// Reads an object's members. A member that is missing keeps its value. `read` takes a place and
// returns the value; without it the member's type says how it is read.
class Reader {
  public:
    static constexpr bool reads = true;

    explicit Reader(const JsonPlace& at); // errors: no object
    const JsonPlace place;

    // Whether the member is there.
    template<class T, class Read>
    bool operator()(std::string_view key, T& into, Read&& read) {
        const auto found = find(key);
        if (!found) return false;
        auto value = reading([&] { return read(*found); });
        if (!value && place.lenient) return false;
        into = or_throw(std::move(value));
        return true;
    }
    template<class T>
    bool operator()(std::string_view key, T& into) {
        return (*this)(key, into, [&](const JsonPlace& at) {
            T value = into;
            read_into(at, value);
            return value;
        });
    }
    template<class T, class... Read>
    void need(std::string_view key, T& into, const Read&... read) {
        if (!(*this)(key, into, read...)) missing_.push_back(key);
    }
    template<class S>
    void fields(S& setup) {
        for (const Field<S>& field : normscope::fields<S>())
            if (const auto found = find(field.key))
                field.set(setup, read_value(*found, field, field.get(setup)));
    }

    // The value of a key that may be there.
    std::optional<JsonPlace> find(std::string_view key);
    // Errors: a key that nobody has asked for; a missing one that is needed.
    void only() const;

  private:
    std::vector<std::string_view> known_, missing_;
};

// Writes an object's members. What is empty is left out.
class Writer {
  public:
    static constexpr bool reads = false;
    nlohmann::ordered_json out = nlohmann::ordered_json::object();

    template<class T, class... Read>
    bool operator()(std::string_view key, const T& value, const Read&...) {
        put(key, json_of(value));
        return true;
    }
    template<class S>
    void fields(const S& setup) {
        for (const Field<S>& field : normscope::fields<S>())
            if (!field.unsaid || !field.unsaid(setup))
                put(field.key, json_of(field, field.get(setup)));
    }
    void put(std::string_view key, nlohmann::ordered_json json);
};

template<class A, class S>
void archive(A& a, S& setup) {
    a.fields(setup);
}

template<class S>
nlohmann::ordered_json json_of(const S& value) {
    if constexpr (std::integral<S> || std::same_as<S, std::string>) {
        return value;
    } else {
        Writer writer;
        S copy = value;
        archive(writer, copy);
        return std::move(writer.out);
    }
}
template<class T>
nlohmann::ordered_json json_of(const std::optional<T>& value) {
    return value ? json_of(*value) : nlohmann::ordered_json();
}
template<class T>
nlohmann::ordered_json json_of(const Shared<T>& value) {
    return json_of(*value);
}
template<class T>
nlohmann::ordered_json json_of(const std::vector<T>& values) {
    auto out = nlohmann::ordered_json::array();
    for (const T& value : values) out.push_back(json_of(value));
    return out;
}
template<class K, class T>
nlohmann::ordered_json json_of(const std::map<K, T>& values) {
    Writer writer;
    for (const auto& [key, value] : values) writer.out[fmt::format("{}", key)] = json_of(value);
    return std::move(writer.out);
}

void read_into(const JsonPlace& at, bool& into);
void read_into(const JsonPlace& at, double& into);
void read_into(const JsonPlace& at, std::string& into);
void read_into(const JsonPlace& at, std::filesystem::path& into);
void read_into(const JsonPlace& at, FaderRange& into);
template<std::integral T>
void read_into(const JsonPlace& at, T& into) {
    into = static_cast<T>(read_index(at));
}
template<class T>
void read_into(const JsonPlace& at, std::optional<T>& into) {
    read_into(at, into.emplace());
}
template<class T>
void read_into(const JsonPlace& at, Shared<T>& into) {
    T value;
    read_into(at, value);
    into = std::move(value);
}
template<class T>
void read_into(const JsonPlace& at, std::vector<T>& into) {
    into = list_of([](const JsonPlace& entry, std::size_t i) {
        T one;
        // A pinned stack or a lane that says no look has that of its place.
        if constexpr (requires { one.look = i; }) one.look = i;
        read_into(entry, one);
        return one;
    })(at);
}
// A map's keys are texts or whole numbers.
template<class K>
std::optional<K> parsed_key(const std::string& key) {
    if constexpr (std::is_same_v<K, std::string>) {
        return key;
    } else {
        K number{};
        const char* const end = key.data() + key.size();
        const bool whole = std::from_chars(key.data(), end, number).ptr == end;
        return whole ? std::optional(number) : std::nullopt;
    }
}
// Other keys are passed over where they are numbers.
template<class K, class T>
void read_into(const JsonPlace& at, std::map<K, T>& into) {
    Reader entries(at);
    for (const auto& item : at.json.items()) {
        T one;
        const auto key = parsed_key<K>(item.key());
        if (key && entries(item.key(), one)) into[*key] = std::move(one);
    }
}
template<class S>
void read_into(const JsonPlace& at, S& into) {
    Reader reader(at);
    archive(reader, into);
    reader.only();
}

// A record that the program keeps for its user from one start to the next: a struct in a file of
// its own. It stays as it is where there is no file, or where the file holds no object. Returns
// the file; with an empty `folder` nothing is read or kept.
template<class S>
std::filesystem::path load_kept(const std::filesystem::path& folder, const char* name, S& kept) {
    if (folder.empty()) return {};
    const std::filesystem::path file = folder / name;
    const nlohmann::json json = kept_json(file);
    const std::string unnamed;
    (void)reading([&] {
        read_into({json, unnamed, {}, true}, kept);
        return true;
    });
    return file;
}
template<class S>
void keep(const std::filesystem::path& file, const S& kept) {
    keep_json(file, json_of(kept));
}

} // namespace normscope
