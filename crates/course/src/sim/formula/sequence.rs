//! Sequence and context parallelism, all in 16 bit.

use super::{formulas, of_others, positive};

const RING: &str = "Liu, Zaharia and Abbeel, Ring Attention with Blockwise Transformers, 2023";
const ULYSSES: &str = "Jacobs et al., DeepSpeed Ulysses, 2023";
const KORTHIKANTI: &str =
    "Korthikanti et al., Reducing Activation Recomputation in Large Transformer Models, 2022";

formulas! {
    /// Bytes of the keys and values that a rank passes on in one hop of ring attention.
    ring_attention_hop_bytes(b: "sequences", s: "tokens", c: "ranks", hkv: "kv width") -> "B",
    "2*b * s/c * hkv * 2", RING, { 2.0 * b * s / positive(c) * hkv * 2.0 }

    /// Bytes that each rank sends in a forward pass of ring attention, a layer.
    ring_attention_bytes(b: "sequences", s: "tokens", c: "ranks", hkv: "kv width") -> "B",
    "(c-1) * 2*b * s/c * hkv * 2", RING, { (c - 1.0) * ring_attention_hop_bytes(b, s, c, hkv) }

    /// Bytes that each rank sends in the four all-to-alls of a forward pass of Ulysses, a layer.
    ulysses_bytes(b: "sequences", s: "tokens", c: "ranks", h: "hidden", hkv: "kv width") -> "B",
    "(c-1)/c * (2h + 2*hkv) * b * s/c * 2", ULYSSES,
    { of_others(c) * (2.0 * h + 2.0 * hkv) * b * s / c * 2.0 }

    /// Bytes that each rank sends in a forward pass of Megatron SP, a layer: two all-gathers, two reduce-scatters.
    megatron_sp_bytes(b: "sequences", s: "tokens", t: "ranks", h: "hidden") -> "B",
    "4(t-1)/t * b*s*h*2", KORTHIKANTI, { 4.0 * of_others(t) * b * s * h * 2.0 }

    /// Ring attention bytes over Ulysses bytes.
    ring_over_ulysses(c: "ranks", h: "hidden", hkv: "kv width") -> "",
    "c * hkv / (h + hkv)", "the two volumes divided", { c * hkv / positive(h + hkv) }

    /// Tokens per rank that hide a hop of ring attention without a causal mask; double it for a balanced causal one.
    ring_attention_tokens_to_hide(F: "FLOP/s", B: "B/s", h: "hidden", hkv: "kv width") -> "tokens",
    "F/B * hkv/h", "4*(s/c)^2*h*b/F of compute against 4*(s/c)*hkv*b/B of traffic",
    { F / positive(B) * hkv / positive(h) }

    /// FLOP of attention in a forward pass of a layer without a causal mask, which halves it.
    attention_flop(b: "sequences", s: "tokens", h: "hidden") -> "FLOP",
    "4 * b * s^2 * h", "two matrix products of s*s*h a head", { 4.0 * b * s * s * h }

    /// Query-key pairs of a causal mask.
    causal_pairs(s: "tokens") -> "pairs",
    "s(s+1)/2", "counting", { s * (s + 1.0) / 2.0 }
}
