//! Job descriptions as they are written: which lessons they ask for.
#![allow(clippy::unwrap_used)]

use crate::kit::course::course as built_in;
use infralens_course::study::posting::Posting;

fn read(text: &str) -> Posting {
    Posting::read(text, std::slice::from_ref(built_in()))
}

/// Ten descriptions, each with the lessons that it has to weigh.
const POSTINGS: [(&str, &[&str]); 10] = [
    (
        "Member of Technical Staff, Pretraining. You keep runs on thousands of GPUs alive: recovery from failed nodes, \
         automatic restart from a checkpoint, and stragglers found before anybody asks. You have trained models with FSDP \
         or Megatron and can say where the time of a step goes.",
        &["next", "interview", "zero-fsdp", "tp", "3d"],
    ),
    (
        "Research Engineer, Long Context. Our models read million-token documents. You will work on context parallelism, \
         on attention over very long sequences and on the memory footprint of activations.",
        &["sp-cp", "zero-fsdp"],
    ),
    (
        "Senior Engineer, ML Systems. Fault tolerance, elastic training and reliable checkpoints for large-scale training. \
         Experience with NCCL and high-performance networking such as InfiniBand or RoCE is required.",
        &["next", "interview", "allreduce", "topology", "overview"],
    ),
    (
        "Inference Engineer. You own LLM serving: continuous batching, prefill and decode, a KV cache that fits. Tensor \
         parallelism within the node is daily work; vLLM and TensorRT-LLM are what we build on.",
        &["next", "tp"],
    ),
    (
        "Post-training infrastructure. RLHF and GRPO at scale: rollouts in one program, the trainer in another, weights \
         in step between them. You know ZeRO and how memory is divided.",
        &["next", "zero-fsdp"],
    ),
    (
        "Sparse models. We train a mixture-of-experts model and need someone who knows expert routing, all-to-all across nodes, \
         token dropping and how to keep the experts balanced.",
        &["ep"],
    ),
    (
        "Performance Engineer, Distributed Training. Profiling with Nsight, removing performance bottlenecks, overlapping \
         communication with computation. You read a trace and name what is exposed.",
        &["interview", "ddp", "overview"],
    ),
    (
        "Datacenter networking for AI. You plan the interconnect: NVLink domains, rails, oversubscription, GPUDirect RDMA; \
         you know what collective algorithms ask of network bandwidth.",
        &["topology", "allreduce"],
    ),
    (
        "Framework engineer. You build our parallelism strategies: data, tensor and pipeline parallelism, pipeline schedules \
         such as 1F1B, sharding strategies over a device mesh.",
        &["3d", "pp", "tp", "ddp", "overview"],
    ),
    (
        "Applied scientist, fine-tuning. DeepSpeed or FSDP, mixed precision, gradient accumulation, memory-efficient training \
         on a few nodes; long sequences from legal documents.",
        &["zero-fsdp", "ddp", "sp-cp"],
    ),
];

#[test]
fn ordinary_postings_weigh_the_lessons_that_they_ask_for() {
    for (text, lessons) in POSTINGS {
        let posting = read(text);
        let found: Vec<_> = posting.found.iter().map(|f| f.words()).collect();
        for lesson in lessons {
            assert!(posting.weight(lesson) > 0, "no {lesson} in {found:?} of {text}");
        }
        let most = &posting.lessons()[0];
        assert!(lessons.contains(&&*most.0), "{most:?} in {found:?} of {text}");
    }
}

#[test]
fn the_words_of_failures_and_of_long_contexts_are_known() {
    for (text, lesson) in [
        ("Recovery from failed nodes.", "next"),
        ("Fault-tolerant training.", "next"),
        ("You have seen node failures.", "next"),
        ("Long-context models.", "sp-cp"),
        ("Training on long sequences.", "sp-cp"),
        ("A context window of a million tokens.", "sp-cp"),
    ] {
        assert!(read(text).weight(lesson) > 0, "{text}: {:?}", read(text).found);
    }
    // no trade but this one
    for text in [
        "You recover from failure with grace, show resilience and love a context.",
        "Sales engineer. You listen to long stories and profile customers.",
    ] {
        let found = read(text).found;
        assert!(found.iter().all(|f| f.words().contains("recover from failure")), "{text}: {found:?}");
    }
}

#[test]
fn what_looks_like_a_term_and_is_not_known_is_named() {
    let posting = read(
        "About Acme\nWe train with FSDP on Kubernetes and Slurm. You write CUDA and Triton kernels for H100s. \
         Python is a must. You have a PhD or not; CUDA matters more. REQUIREMENTS: you like vLLM and NCCL.",
    );
    assert_eq!(posting.unknown, ["Kubernetes", "Slurm", "Triton"], "CUDA and H100 are used in lessons");
    // what was kept by an earlier edition has none
    let old: Posting = serde_json::from_str(r#"{"words":3,"found":[]}"#).unwrap();
    assert!(old.unknown.is_empty());
}
