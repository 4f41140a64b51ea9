#pragma once
#include "app/workspaces/train/panels.h"

#include <string>
#include <vector>

// What a person expects of a race before it is run.
namespace normscope {

// Whether a race can be predicted: nothing of it has been shown yet.
bool can_predict(const RaceSetup& setup);

// Asks which lane comes first and which blow up, and lets the loss of the first be drawn.
void ask_prediction(Ui& ui, Rect inside, const Frame& frame, Actions& actions);

// "You: Batch norm first. Step 640: Batch norm first; No norm blew up."; empty where nothing was
// predicted of this race.
std::string prediction_verdict(const Frame& frame);

// The loss that was drawn, against the step; empty where none was.
std::vector<DataPoint> predicted_curve(const Frame& frame);

} // namespace normscope
