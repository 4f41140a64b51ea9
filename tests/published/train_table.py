#!/usr/bin/python3
"""Print what training with and without norms and skips comes to, beside what PyTorch 1.13 came to.

    tests/published/train_table.py PROGRAM [ROW …]

PROGRAM is normscope; a ROW is the beginning of a row's name, all rows without one. Seeds 0 to 4; a
row's set-up stands in its function. Ends with 1 where a row is not as expected.
"""
import json
import math
import statistics
import struct
import subprocess
import sys
import tempfile

SEEDS = 5
PROGRAM = ""


def train(options, seeds=SEEDS):
    """The runs of `normscope train`, a dictionary a seed; an option that is said again counts."""
    said = {}
    for option in options.split("--")[1:]:
        said["--" + option.split()[0]] = option.split()[1:]
    command = [PROGRAM, "train", "--json", "--seeds", str(seeds)]
    for option, value in said.items():
        command += [option] + value
    out = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(out.stdout)["seeds"]


def trained(runs):
    """How many reach a test accuracy of 0.95 at their end."""
    return sum(run["final"]["test_accuracy"] >= 0.95 for run in runs)


def mean_of(runs, name):
    return statistics.mean(run["final"][name] for run in runs)


def hits_by(runs, step):
    return sum(run["hit_step"] is not None and run["hit_step"] <= step for run in runs)


def last_loss(runs):
    """The loss at the end, a run that diverged counted as infinite."""
    return statistics.mean(math.inf if run["final"]["loss"] is None else run["final"]["loss"]
                           for run in runs)


def points(options):
    return train("--task spirals --width 16 --batch 32 --steps 1000 --every 1000 --skip none "
                 "--norm none " + options)


def no_skip_12():
    none, batch = trained(points("--layers 12 --lr 0.3")), trained(
        points("--layers 12 --lr 0.3 --norm batch"))
    return [("none, trained of 5", "≤ 2", none, none <= 2),
            ("batch norm, trained of 5", "≥ 4", batch, batch >= 4)]


def skip_24():
    rows = []
    for lr in (0.01, 0.02, 0.03):
        none = trained(points(f"--layers 24 --skip add --lr {lr}"))
        layer = trained(points(f"--layers 24 --skip add --norm layer --lr {lr}"))
        rows += [(f"none, lr {lr}, trained of 5", "0", none, none == 0),
                 (f"layer norm, lr {lr}, trained of 5", "≥ 4", layer, layer >= 4)]
    return rows


def first_race():
    setup = "--layers 24 --lr 0.2 "
    return [(f"{name}, trained of 5", str(expected), count, count == expected)
            for name, options, expected in (("no norm, no skip", "", 0),
                                            ("layer norm, no skip", "--norm layer", 0),
                                            ("no norm, skip", "--skip add", 0),
                                            ("layer norm, skip", "--norm layer --skip add", 5))
            for count in (trained(points(setup + options)),)]


def deep_48():
    none = trained(points("--layers 48 --lr 0.01"))
    both = trained(points("--layers 48 --lr 0.01 --skip add --norm layer"))
    return [("no skip, no norm, trained of 5", "≤ 1", none, none <= 1),
            ("skip and layer norm, trained of 5", "≥ 4", both, both >= 4)]


def tanh_12():
    rows = []
    for lr in (0.003, 0.01, 0.03, 0.1, 0.3, 1):
        count = trained(points(f"--layers 12 --activation tanh --skip add --lr {lr}"))
        rows.append((f"lr {lr}, trained of 5", "5", count, count == 5))
    return rows


def largest_rate():
    rows = []
    for norm, expected, is_right in (("none", "0.3", lambda lr: lr == 0.3),
                                     ("layer", "0.1", lambda lr: lr == 0.1),
                                     ("batch", "1 to 3", lambda lr: 1 <= lr <= 3)):
        counts = {lr: trained(points(f"--layers 6 --norm {norm} --lr {lr}"))
                  for lr in (0.003, 0.01, 0.03, 0.1, 0.3, 1, 3)}
        largest = max((lr for lr, count in counts.items() if count >= 4), default=0)
        rows.append((f"{norm}: largest lr that trains 4 of 5", expected,
                     f"{largest} ({', '.join(f'{lr}: {n}' for lr, n in counts.items())})",
                     is_right(largest)))
    return rows


def small_batch():
    batch = mean_of(points("--layers 6 --lr 0.01 --batch 2 --norm batch"), "train_accuracy")
    layer = mean_of(points("--layers 6 --lr 0.01 --batch 2 --norm layer"), "train_accuracy")
    return [("batch norm, training accuracy", "< 0.68", batch, batch < 0.68),
            ("layer norm, training accuracy", "> 0.75", layer, layer > 0.75)]


def pre_activation_6():
    rows = []
    for norm, expected in (("none", ((0.64, 0.57), (2.3, 2.3))),
                           ("batch", ((0, 1.0), (0.16, 1.1)))):
        runs = train("--task spirals --width 16 --layers 6 --batch 400 --steps 1 --every 1 --lr 0 "
                     f"--skip none --norm {norm}")
        start = [runs, 0]
        runs = train("--task spirals --width 16 --layers 6 --batch 32 --steps 1000 --every 1000 "
                     f"--lr 0.03 --skip none --norm {norm}")
        for (which, at), wanted, step in ((start, expected[0], 0), ([runs, -1], expected[1], 1000)):
            for key, value, name in (("layer_mean", wanted[0], "RMS of the units' means"),
                                     ("layer_std", wanted[1], "σ")):
                measured = statistics.mean(run["steps"][at][key][5] for run in which)
                right = abs(measured - value) <= max(0.25 * value, 0.02)
                rows.append((f"{norm}, step {step}: {name}", f"{value} ± 25 %", measured, right))
    return rows


SEQUENCES = ("--symbols 10 --length 8 --width 32 --heads 4 --ffn 128 --batch 16 --optimizer adam "
             "--schedule linear --every 25 ")


def sequences(options):
    return train(SEQUENCES + options)


def warm_up():
    setup = "--task reverse --layers 2 --lr 0.01 --steps 500 "
    post = hits_by(sequences(setup + "--placement post"), 500)
    warm = hits_by(sequences(setup + "--placement post --warmup 100"), 500)
    pre = hits_by(sequences(setup + "--placement pre"), 500)
    return [("post without warm-up, hits of 5", "≤ 1", post, post <= 1),
            ("post with warm-up, hits of 5", "≥ 4", warm, warm >= 4),
            ("pre without warm-up, hits of 5", "≥ 3", pre, pre >= 3)]


def six_layers():
    setup = "--task reverse --layers 6 --lr 0.003 --steps 400 "
    post = last_loss(sequences(setup + "--placement post"))
    pre = last_loss(sequences(setup + "--placement pre"))
    none = last_loss(sequences(setup + "--norm none"))
    return [("post, loss", "> 1.5", post, post > 1.5), ("pre, loss", "< 0.25", pre, pre < 0.25),
            ("none, loss", "> 10", none, none > 10)]


def copy_12():
    setup = "--task copy --model encoder --layers 12 --lr 0.003 --steps 200 "
    rows = []
    for name, options in (("pre", "--placement pre"), ("DeepNorm", "--placement deepnorm"),
                          ("ReZero", "--norm none --skip rezero")):
        hits = hits_by(sequences(setup + options), 75)
        rows.append((f"{name}, hits of 5 by step 75", "5", hits, hits == 5))
    post = hits_by(sequences(setup + "--placement post"), 200)
    none = last_loss(sequences(setup + "--norm none"))
    return rows + [("post, hits of 5", "≤ 1", post, post <= 1), ("none, loss", "> 10", none,
                                                                none > 10)]


def no_skip():
    runs = sequences("--task reverse --layers 2 --lr 0.003 --steps 500 --placement pre --skip none")
    loss, accuracy = last_loss(runs), mean_of(runs, "test_accuracy")
    return [("loss", "> 1.4", loss, loss > 1.4), ("accuracy", "0", accuracy, accuracy == 0)]


def no_positions():
    runs = sequences("--task reverse --layers 2 --lr 0.003 --steps 500 --placement pre "
                     "--positions none")
    loss, accuracy = last_loss(runs), mean_of(runs, "test_accuracy")
    return [("loss", "1.24 ± 0.05", loss, abs(loss - 1.24) <= 0.05),
            ("accuracy", "0", accuracy, accuracy == 0)]


def no_mask():
    runs = sequences("--task reverse --layers 2 --lr 0.003 --steps 500 --placement pre --no-mask")
    forced, greedy = mean_of(runs, "test_accuracy"), mean_of(runs, "greedy_accuracy")
    return [("teacher-forced", "≥ 0.97", forced, forced >= 0.97),
            ("greedy", "≤ 0.3", greedy, greedy <= 0.3)]


def tensor_of(path, name):
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        start = file.tell()
        begin, end = header[name]["data_offsets"]
        file.seek(start + begin)
        return struct.unpack(f"<{(end - begin) // 4}f", file.read(end - begin))


def one_layer():
    setup = "--task reverse --layers 1 --lr 0.003 --steps 800 --placement pre "
    with tempfile.NamedTemporaryFile(suffix=".safetensors") as file:
        runs = sequences(setup + f"--save {file.name}")
        gamma = statistics.mean(tensor_of(file.name, "decoder.norm.weight"))
    hits, best = hits_by(runs, 450), mean_of(runs, "antidiagonal_best")
    return [("hits of 5 by step 450", "≥ 4", hits, hits >= 4),
            ("cross-attention on the anti-diagonal", "> 0.7", best, best > 0.7),
            ("mean γ before the head, seed 0", "1.29 ± 0.05", gamma, abs(gamma - 1.29) <= 0.05)]


def text():
    rows = []
    for name, options, expected in (("post", "--placement post", 2.09),
                                    ("pre", "--placement pre", 2.12),
                                    ("rms", "--placement pre --norm rms", 2.13),
                                    ("none", "--norm none", 2.03)):
        runs = train("--task text --width 64 --layers 2 --heads 4 --ffn 128 --length 32 --batch 8 "
                     "--optimizer adam --schedule linear --lr 0.003 --steps 120 --every 1 " +
                     options)
        loss = statistics.mean(statistics.mean(step["loss"] for step in run["steps"][100:120])
                               for run in runs)
        rows.append((f"{name}, mean loss of the last 20", f"{expected} ± 0.12", loss,
                     abs(loss - expected) <= 0.12))
    return rows


ROWS = (("ReLU, 12 layers, no skip, lr 0.3", no_skip_12),
        ("ReLU, 24 layers with skip", skip_24),
        ("ReLU, 24 layers, lr 0.2: a new document's race", first_race),
        ("ReLU, 48 layers, lr 0.01", deep_48),
        ("tanh, 12 layers with skip, no norm", tanh_12),
        ("ReLU, 6 layers, no skip: largest lr", largest_rate),
        ("6 layers, lr 0.01, batch 2", small_batch),
        ("pre-activation of layer 6, ReLU, lr 0.03", pre_activation_6),
        ("reverse, N = 2, lr 0.01", warm_up),
        ("reverse, N = 6, lr 0.003, 400 steps", six_layers),
        ("copy, encoder of 12 layers, lr 0.003, 200 steps", copy_12),
        ("reverse, N = 2, layer norm, no skip", no_skip),
        ("reverse, N = 2, pre, no positions", no_positions),
        ("reverse, N = 2, pre, no mask", no_mask),
        ("reverse, N = 1, pre, 800 steps", one_layer),
        ("text, N = 2, 120 steps", text))


def main():
    global PROGRAM
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    PROGRAM, wanted = sys.argv[1], sys.argv[2:]
    all_right = True
    for title, measure in ROWS:
        if wanted and not any(title.startswith(w) for w in wanted):
            continue
        print(title)
        for what, expected, measured, right in measure():
            shown = f"{measured:.4g}" if isinstance(measured, float) else measured
            print(f"  {what}: expected {expected}, measured {shown}{'' if right else '  ← differs'}",
                  flush=True)
            all_right = all_right and right
    sys.exit(0 if all_right else 1)


if __name__ == "__main__":
    main()
