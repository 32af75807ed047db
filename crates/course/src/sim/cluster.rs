//! Real models and machines, for presets and plans.
//!
//! Link figures are per direction. `effective` rates are what collectives reach: about 370 GB/s of 450 on
//! NVLink 4, about 45 of 50 on a 400 Gbit/s port (nccl-tests, 2026).

/// The shape of a dense transformer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Model {
    /// The name: `70B`.
    pub name: &'static str,
    /// Parameters.
    pub parameters: f64,
    /// Layers.
    pub layers: u32,
    /// Width of the residual stream.
    pub hidden: u32,
    /// Attention heads.
    pub heads: u32,
    /// Key-value heads.
    pub kv_heads: u32,
}

const fn model(name: &'static str, parameters: f64, shape: [u32; 4]) -> Model {
    let [layers, hidden, heads, kv_heads] = shape;
    Model { name, parameters, layers, hidden, heads, kv_heads }
}

/// The models that plans are made for.
pub const MODELS: &[Model] = &[
    model("7B", 6.74e9, [32, 4096, 32, 32]),
    model("13B", 13.0e9, [40, 5120, 40, 40]),
    model("70B", 69e9, [80, 8192, 64, 8]),
    model("175B", 174.6e9, [96, 12288, 96, 96]),
    model("8B", 8.03e9, [32, 4096, 32, 8]),
    model("405B", 405.9e9, [126, 16384, 128, 8]),
];

/// The names of the models, for a choice; in the order of [`MODELS`].
pub(super) const MODEL_CHOICE: &[(&str, &str)] =
    &[("7B", "7B"), ("13B", "13B"), ("70B", "70B"), ("175B", "175B"), ("8B", "8B"), ("405B", "405B")];

/// The model of this name, whatever its case.
pub fn model_named(name: &str) -> Option<&'static Model> {
    MODELS.iter().find(|m| m.name.eq_ignore_ascii_case(name.trim()))
}

/// A GPU with its links.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gpu {
    /// The name: `H100`.
    pub name: &'static str,
    /// Memory in bytes.
    pub memory: f64,
    /// Peak dense bf16 rate, FLOP per second.
    pub peak: f64,
    /// Memory bandwidth, bytes per second.
    pub hbm: f64,
    /// Effective NVLink rate for collectives, bytes per second per direction.
    pub nvlink: f64,
    /// Effective rate of its NIC, bytes per second per direction.
    pub nic: f64,
}

/// NVIDIA H100 SXM with a 400 Gbit/s NIC each.
pub const H100: Gpu =
    Gpu { name: "H100", memory: 80e9, peak: 989e12, hbm: 3.35e12, nvlink: 370e9, nic: 45e9 };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_named_in_order() {
        let names: Vec<_> = MODELS.iter().map(|m| (m.name, m.name)).collect();
        assert_eq!(names, MODEL_CHOICE);
        assert!(MODELS.iter().all(|m| m.hidden.is_multiple_of(m.heads)), "heads divide the width");
    }

    #[test]
    fn parameters_agree_with_the_shapes() {
        // 12*h^2 a layer holds for an MLP of 4h and as many key-value heads as heads.
        for name in ["13B", "175B"] {
            let model = model_named(name).expect("a model");
            let counted = 12.0 * f64::from(model.hidden).powi(2) * f64::from(model.layers);
            assert!((counted / model.parameters - 1.0).abs() < 0.04, "{name}");
        }
    }
}
