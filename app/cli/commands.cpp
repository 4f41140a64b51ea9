#include "app/cli/check.h"
#include "app/cli/command.h"
#include "app/cli/compute.h"
#include "app/cli/examples.h"
#include "app/cli/explain.h"
#include "app/cli/export.h"
#include "app/cli/flow.h"
#include "app/cli/lesson/lesson.h"
#include "app/cli/screenshot.h"
#include "app/cli/train/train.h"
#include "app/cli/transformer/transformer.h"

#include <array>

namespace normscope {

namespace {

constexpr std::array k_commands{
    Command{"compute", "Normalize matrices from files and write every result", define_compute},
    Command{"check", "Compare the backward pass with central differences", define_check},
    Command{"explain", "Print the arithmetic of one token step by step", define_explain},
    Command{"flow", "Follow the gradient through a stack of residual blocks", define_flow},
    Command{"transformer", "Measure a Transformer, or run a sentence through its weights",
            define_transformer},
    Command{"train", "Train an MLP or a Transformer and say how it goes", define_train},
    Command{"export", "Draw a figure into a PNG, SVG or PDF file", define_export},
    Command{"screenshot",
            "Draw the whole window into a PNG file; needs a display, a virtual one will do",
            define_screenshot},
    Command{"examples", "List the examples", define_examples},
    Command{"lessons", "List the lessons", define_lessons},
    Command{"lesson", "Check a lesson that you write", define_lesson},
};

} // namespace

std::span<const Command> commands() {
    return k_commands;
}

} // namespace normscope
