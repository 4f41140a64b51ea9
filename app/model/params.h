#pragma once
#include "app/model/document.h"

// γ and β of a document, the reach of their faders, and what other edits do to them.
namespace normscope {

// The range as it was set, grown to the values there are now.
void forget_growth(Document& document, Param which);

void set_params(Document& document, Param which, std::vector<double> values);

// γ = 1 and β = 0, as many as the document's shape and affine ask for.
void reset_params(Document& document);

// γ and β per token, feature or one for all: with the values they had there before, or else with
// the present ones where all are the same, which means the same under every sharing.
void share(Document& document, AffinePer per);

// Set-aside γ and β whose length no longer fits the matrix.
void forget_misfits(Document& document);

// Whether share() finds no values for γ, or for β: it begins at 1, or at 0, then.
bool begins_anew(const Document& document, AffinePer per, Param param);

FaderRange& range_of(Document& document, Param which);
FaderRange& set_range_of(Document& document, Param which); // as a person set it

} // namespace normscope
