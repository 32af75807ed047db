//! Tensor parallelism, Megatron sequence parallelism and the memory of activations.

use super::{formulas, of_others, positive};

const MEGATRON: &str = "Shoeybi et al., Megatron-LM, 2019";
const KORTHIKANTI: &str =
    "Korthikanti et al., Reducing Activation Recomputation in Large Transformer Models, 2022";

formulas! {
    /// Bytes of one activation message: all tokens of a micro-batch, 16 bit.
    activation_message_bytes(b: "sequences", s: "tokens", h: "hidden") -> "B",
    "b * s * h * 2", MEGATRON, { b * s * h * 2.0 }

    /// Bytes that each rank sends per layer and micro-batch: four all-reduces, two forward and two backward.
    tp_bytes_per_layer(t: "ranks", b: "sequences", s: "tokens", h: "hidden") -> "B",
    "4 * 2(t-1)/t * b*s*h*2", MEGATRON, { 4.0 * 2.0 * of_others(t) * activation_message_bytes(b, s, h) }

    /// Tensor-parallel communication over compute for a dense layer of 12*h^2 parameters.
    tp_comm_ratio(t: "ranks", h: "hidden", F: "FLOP/s", B: "B/s") -> "",
    "2(t-1)*F / (9*h*B)", "the bytes over B against 72*h^2 FLOP a token over t ranks",
    { 2.0 * (positive(t) - 1.0) * F / (9.0 * positive(h) * positive(B)) }

    /// Parameters of a dense transformer layer with an MLP of 4h.
    layer_parameters(h: "hidden") -> "parameters",
    "12 * h^2", MEGATRON, { 12.0 * h * h }

    /// Copies of each key-value head when `t` ranks split `kv` heads.
    kv_head_copies(t: "ranks", kv: "heads") -> "copies",
    "max(1, t/kv)", "each rank needs at least one key-value head", { (t / positive(kv)).max(1.0) }

    /// The width of keys, or of values, on each of `t` ranks, for `kv` of `a` heads.
    kv_width(h: "hidden", a: "heads", kv: "heads", t: "ranks") -> "hidden",
    "h/a * max(kv/t, 1)", "each rank needs at least one key-value head",
    { h / positive(a) * (kv / positive(t)).max(1.0) }

    /// Parameters of a dense layer with an MLP of 4h and `kv` of `a` heads, on each of `t` ranks.
    layer_parameters_rank(h: "hidden", a: "heads", kv: "heads", t: "ranks") -> "parameters",
    "h * (10*h/t + 2 * h/a * max(kv/t, 1))", "query, output and two MLP matrices split over t, keys and values by heads",
    { h * (10.0 * h / positive(t) + 2.0 * kv_width(h, a, kv, t)) }

    /// Activation bytes of a layer without recomputation and without splitting.
    activation_bytes_layer(b: "sequences", s: "tokens", h: "hidden", a: "heads") -> "B",
    "s*b*h * (34 + 5*a*s/h)", KORTHIKANTI, { s * b * h * (34.0 + 5.0 * a * s / positive(h)) }

    /// The same with tensor parallelism and no sequence parallelism.
    activation_bytes_layer_tp(b: "sequences", s: "tokens", h: "hidden", a: "heads", t: "ranks") -> "B",
    "s*b*h * (10 + 24/t + 5*a*s/(h*t))", KORTHIKANTI,
    { s * b * h * (10.0 + 24.0 / positive(t) + 5.0 * a * s / (positive(h) * t)) }

    /// The same with tensor and sequence parallelism.
    activation_bytes_layer_sp(b: "sequences", s: "tokens", h: "hidden", a: "heads", t: "ranks") -> "B",
    "s*b*h/t * (34 + 5*a*s/h)", KORTHIKANTI, { activation_bytes_layer(b, s, h, a) / positive(t) }

    /// The same with selective recomputation: the score matrices are not kept.
    activation_bytes_layer_selective(b: "sequences", s: "tokens", h: "hidden", t: "ranks") -> "B",
    "34 * s*b*h/t", KORTHIKANTI, { 34.0 * s * b * h / positive(t) }

    /// The same with full recomputation: only the input of the layer is kept.
    activation_bytes_layer_full(b: "sequences", s: "tokens", h: "hidden", t: "ranks") -> "B",
    "2 * s*b*h/t", KORTHIKANTI, { 2.0 * s * b * h / positive(t) }

    /// Bytes of the logits on a rank, `w` bytes an element, vocabulary split over `t`.
    logits_bytes(b: "sequences", s: "tokens", V: "vocabulary", t: "ranks", w: "B/element") -> "B",
    "w * b*s*V/t", MEGATRON, { w * b * s * V / positive(t) }
}
