#pragma once
#include <cstddef>
#include <memory>
#include <vector>

namespace normscope {

struct Scene; // app/model/scene.h: it holds a document, which holds scenes

// The states that were kept, in order. Copies share the list.
class Scenes {
  public:
    Scenes() = default;
    explicit Scenes(std::vector<Scene> list);

    std::size_t size() const;
    bool empty() const { return size() == 0; }
    const Scene& operator[](std::size_t index) const;
    const std::vector<Scene>& list() const;
    bool operator==(const Scenes& other) const;

  private:
    std::shared_ptr<const std::vector<Scene>> list_; // null: none
};

} // namespace normscope
