"""Drag the layers of the Transformer, undo, and open the weights of a file."""
import json
import math
import struct

from program import ProgramTest, wait_until, xdotool
from entry import main


# In the window of SIZE: the button that brings the Model's folded rows, and then the knob of one.
MORE, LAYERS = (55, 209), (141, 268)


def write_weights(path, words, width, ffn):
    """A decoder of one layer whose weights are all 0.25, under PyTorch's names."""
    layer = "decoder.layers.0."
    shapes = {"tgt_embed.weight": (words, width), "generator.weight": (words, width),
              "generator.bias": (words,), layer + "self_attn.in_proj_weight": (3 * width, width),
              layer + "self_attn.in_proj_bias": (3 * width,),
              layer + "self_attn.out_proj.weight": (width, width),
              layer + "self_attn.out_proj.bias": (width,), layer + "linear1.weight": (ffn, width),
              layer + "linear1.bias": (ffn,), layer + "linear2.weight": (width, ffn),
              layer + "linear2.bias": (width,)}
    for norm in ("norm1", "norm2"):
        shapes.update({layer + norm + ".weight": (width,), layer + norm + ".bias": (width,)})
    header, end = {"__metadata__": {"heads": "2"}}, 0
    for name, shape in shapes.items():
        size = 4 * math.prod(shape)
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [end, end + size]}
        end += size
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + struct.pack("<f", 0.25) * (end // 4))


class TransformerTest(ProgramTest):
    def transformer(self, session):
        return self.saved(session).get("transformer", {})

    def test_layers_are_dragged_and_weights_opened(self):
        session = self.write_session("work", tokens=3, features=5)
        look = ("--theme", "light", "--workspace", "transformer")
        self.start(session, *look)
        xdotool("mousemove", *MORE)
        xdotool("click", 1)
        self.rest()
        x, y = LAYERS
        self.drag((x, y), (x + 40, y))
        layers = self.transformer(session).get("layers", 3)
        self.assertGreater(layers, 3)
        self.key("ctrl+z")  # one gesture is one step
        self.assertEqual(self.transformer(session).get("layers", 3), 3)
        self.stop()

        weights = self.folder / "w.safetensors"
        write_weights(weights, words=7, width=8, ffn=12)
        self.start(weights)
        self.key("ctrl+s")  # a document of its own, with a name of its own
        self.key("Return")
        wait_until("the session", lambda: list(self.folder.rglob("*.normscope.json"))[1:])
        saved = next(path for path in self.folder.rglob("*.normscope.json") if path != session)
        kept = json.loads(saved.read_text())["transformer"]
        self.assertEqual((kept["arch"], kept["width"], kept["heads"]), ("decoder", 8, 2))
        self.assertEqual(kept["weights"]["name"], "w.safetensors")
        self.assertEqual(kept["weights"]["tensors"]["generator.bias"], [0.25] * 7)


if __name__ == "__main__":
    main()
