//! Real models and machines, for presets and plans.
//!
//! Link figures are per direction. `effective` rates are what collectives reach: about 370 GB/s of 450 on
//! NVLink 4, about 45 of 50 on a 400 Gbit/s port (nccl-tests, 2026).

use crate::sim::formula::tensor;
use crate::sim::parameter::Taken;
use crate::sim::quantity::Unit;

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

impl Model {
    /// The width of keys, or of values, on a rank of `t` that share the heads: each has a whole head at least.
    pub(crate) fn kv_width(&self, t: f64) -> f64 {
        tensor::kv_width(f64::from(self.hidden), f64::from(self.heads), f64::from(self.kv_heads), t)
    }
}

const fn model(name: &'static str, parameters: f64, shape: [u32; 4]) -> Model {
    let [layers, hidden, heads, kv_heads] = shape;
    Model { name, parameters, layers, hidden, heads, kv_heads }
}

/// The model that is taken where none is named.
pub(super) const SEVENTY_B: Model = model("70B", 69e9, [80, 8192, 64, 8]);

/// The models that plans are made for.
pub const MODELS: &[Model] = &[
    model("7B", 6.74e9, [32, 4096, 32, 32]),
    model("13B", 13.0e9, [40, 5120, 40, 40]),
    SEVENTY_B,
    model("175B", 174.6e9, [96, 12288, 96, 96]),
    model("8B", 8.03e9, [32, 4096, 32, 8]),
    model("405B", 405.9e9, [126, 16384, 128, 8]),
];

/// The names of the models, for a choice; in the order of [`MODELS`].
pub(super) const MODEL_CHOICE: [(&str, &str); MODELS.len()] = {
    let mut names = [("", ""); MODELS.len()];
    let mut nth = 0;
    while nth < MODELS.len() {
        names[nth] = (MODELS[nth].name, MODELS[nth].name);
        nth += 1;
    }
    names
};

/// The value of a knob that chooses the model of this name; a name that there is not does not compile in a constant.
pub(super) const fn model_place(name: &str) -> f64 {
    let mut nth = 0;
    while nth < MODELS.len() {
        if same(MODELS[nth].name.as_bytes(), name.as_bytes()) {
            return nth as f64;
        }
        nth += 1;
    }
    panic!("no model has this name")
}

/// Whether two names are the same, in a constant.
pub(super) const fn same(one: &[u8], other: &[u8]) -> bool {
    let mut nth = 0;
    while nth < one.len() && nth < other.len() && one[nth] == other[nth] {
        nth += 1;
    }
    nth == one.len() && nth == other.len()
}

impl Taken for Model {
    fn taken(value: f64, _: Unit) -> Model {
        MODELS[(value as usize).min(MODELS.len() - 1)]
    }
}

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
    fn models_are_chosen_by_name() {
        for model in MODELS {
            assert_eq!(Model::taken(model_place(model.name), crate::sim::quantity::PLAIN), *model);
            assert!(model.hidden.is_multiple_of(model.heads), "heads divide the width");
        }
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
