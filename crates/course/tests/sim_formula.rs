//! The formulas against the worked numbers of the field, through the expressions that packs write.

use std::path::Path;

use infralens_course::sim::{expr, formula};

/// Evaluates and compares, to the digits that the expected number shows.
fn assert_comes_to(rows: &[(&str, f64, f64)]) {
    for (source, expected, tolerance) in rows {
        let value = expr::value(source, &()).unwrap_or_else(|fault| panic!("{source}: {fault}"));
        assert!(
            (value - expected).abs() <= tolerance.abs(),
            "{source} comes to {value}, not {expected} within {tolerance}"
        );
    }
}

#[test]
fn number_exercises_have_their_sample_answers() {
    assert_comes_to(&[
        ("ring_all_reduce_bytes(8, 1 GiB) / GiB", 1.75, 1e-12),
        ("ring_all_reduce_time(8, 1 GiB, 0, 370 GB) / ms", 5.079, 0.0005),
        ("ring_all_reduce_time(64, 25 MiB, 10 us, 45 GB) / ms", 2.407, 0.0005),
        ("ring_crossover_bytes(64, 10 us, 45 GB) / MB", 28.8, 1e-9),
        ("busbw(8, 1 GiB, 5 ms) / GB", 375.8, 0.05),
        ("nic_rate_from_busbw(377.3, 4, 32)", 36.51, 0.005),
        ("hierarchical_inter_bytes(8, 8, 1)", 0.2188, 0.00006),
        ("ddp_buckets(350 million, 4, 25 MiB, 1 MiB)", 55.0, 0.0),
        ("ddp_gradient_bytes(7.5 billion, 64, 2) / GB", 29.53, 0.005),
        ("tokens_to_hide(494.5 TFLOP, 45 GB)", 1.099e4, 5.0),
        ("zero_state_bytes(7.5 billion, 64, 1) / GB", 31.41, 0.005),
        ("zero3_ranks_to_fit(70 billion, 40 GB)", 28.0, 0.0),
        ("zero_volume(3, 8)", 24.0, 0.0),
        ("all_gather_time(64, 0.8625 billion * 2, 0, 360 GB) / ms", 4.717, 0.0005),
        ("hsdp_nic_bytes(6.74 billion, 8, 8) / GB", 2.949, 0.0005),
        ("tp_bytes_per_layer(8, 1, 4096, 8192) / MB", 469.8, 0.05),
        ("100 * tp_comm_ratio(8, 8192, 593 TFLOP, 370 GB)", 30.43, 0.005),
        ("activation_bytes_layer_sp(1, 2048, 12288, 96, 8) / MB", 358.6, 0.05),
        ("100 * bubble_fraction(8, 64)", 9.859, 0.0005),
        ("100 * bubble_fraction_interleaved(8, 64, 2)", 5.185, 0.0005),
        ("micro_batches_for_bubble(8, 0.10)", 63.0, 0.0),
        ("step_units_slow_last_stage(4, 8, 1.5)", 15.0, 0.0),
        ("ring_attention_hop_bytes(1, 131072, 8, 1024) / MB", 67.11, 0.005),
        ("ulysses_bytes(1, 131072, 8, 4096, 4096) / MB", 469.8, 0.05),
        ("ring_attention_tokens_to_hide(494.5 TFLOP, 45 GB, 8, 1)", 1374.0, 0.5),
        ("expert_capacity(4096, 2, 8, 1.25)", 1280.0, 0.0),
        ("dispatch_bytes(4096, 8, 7168, 64) / MB", 462.4, 0.05),
        ("zero_state_bytes(69 billion, 2, 1) / (8 * 4) / GB", 21.56, 0.005),
        ("100 * mfu(6667, flop_per_token(7.505 billion, 32, 4096, 8192), 1, 989 TFLOP)", 39.04, 0.005),
        ("extra_step_time(0.92, 0.61)", 0.5524, 0.00005),
    ]);
}

#[test]
fn overview_numbers() {
    assert_comes_to(&[
        ("flop_per_token(7.5 billion, 32, 4096, 8192) / GFLOP", 57.9, 0.05),
        ("6667 * flop_per_token(7.5 billion, 32, 4096, 8192) / TFLOP", 386.0, 0.5),
        ("100 * mfu(5762, flop_per_token(7.505 billion, 32, 4096, 8192), 1, 989 TFLOP)", 33.7, 0.05),
        ("100 * mfu(6667, 6 * 8.03 billion, 1, 989 TFLOP)", 32.5, 0.05),
        ("100 * mfu(512 * 4096 / 40, 6 * 70 billion, 64, 989 TFLOP)", 34.8, 0.05),
        ("100 * hfu_full_recompute(mfu(512 * 4096 / 40, 6 * 70 billion, 64, 989 TFLOP))", 46.4, 0.05),
        ("ridge_point(989 TFLOP, 3.35 TB)", 295.0, 0.5),
        ("ridge_point(312 TFLOP, 2 TB)", 156.0, 0.5),
        ("matmul_intensity(4096, 4096, 4096)", 1365.0, 0.5),
        ("matmul_intensity(16, 8192, 8192)", 16.0, 0.1),
        ("8192 ^ 2 * 2 / 3.35 TB / us", 40.0, 0.1),
        ("100 * attention_share(70 billion, 80, 8192, 4096)", 7.7, 0.05),
        ("100 * attention_share(70 billion, 80, 8192, 131072)", 245.0, 0.5),
        ("roofline(16, 989 TFLOP, 3.35 TB) / TFLOP", 53.6, 0.01),
        ("roofline(1365, 989 TFLOP, 3.35 TB) / TFLOP", 989.0, 0.0),
    ]);
}

#[test]
fn data_parallel_numbers() {
    assert_comes_to(&[
        ("ddp_gradient_bytes(7.5 billion, 64, 2) / 360 GB / ms", 82.0, 0.1),
        ("ddp_gradient_bytes(7.5 billion, 64, 2) / 45 GB", 0.66, 0.005),
        ("tokens_to_hide(0.5 * 989 TFLOP, 370 GB)", 1337.0, 1.0),
        ("tokens_to_hide(0.5 * 989 TFLOP, 360 GB)", 1374.0, 1.0),
        ("tokens_to_hide(0.5 * 989 TFLOP, 45 GB)", 10990.0, 2.0),
        ("350 million * 4 / MiB", 1335.0, 0.5),
        ("ddp_buckets(7 billion, 2, 25 MiB, 1 MiB)", 536.0, 1.0),
        ("exposed_time(49.1, 48)", 1.1, 1e-9),
        ("exposed_time(40, 48)", 0.0, 0.0),
    ]);
}

#[test]
fn collective_numbers() {
    assert_comes_to(&[
        ("ring_all_reduce_bytes(8, 1 GiB) / GB", 1.879, 0.0005),
        ("ring_all_reduce_bytes(64, 1)", 1.969, 0.0005),
        ("ring_all_reduce_bytes(1024, 1)", 1.998, 0.0005),
        ("ring_all_reduce_bytes(2, 1)", 1.0, 0.0),
        ("ring_all_reduce_time(8, 1 GiB, 0, 450 GB) / ms", 4.18, 0.005),
        ("algbw(1 GiB, 5 ms) / GB", 214.7, 0.05),
        ("ring_latency(512, 10 us) / ms", 10.2, 0.05),
        ("ring_crossover_bytes(512, 10 us, 45 GB) / MB", 230.4, 0.1),
        ("tree_latency(512, 10 us) / ms", 0.18, 1e-9),
        ("hierarchical_intra_bytes(8, 1 GiB) / GiB", 1.75, 1e-12),
        ("hierarchical_intra_bytes(8, 1 GiB) / 370 GB / ms", 5.08, 0.005),
        ("hierarchical_inter_bytes(8, 8, 1 GiB) / GiB", 0.219, 0.0005),
        ("hierarchical_inter_bytes(8, 8, 1 GiB) / 45 GB / ms", 5.22, 0.005),
        ("ring_all_reduce_time(64, 1 GiB, 0, 45 GB) / ms", 47.0, 0.05),
        ("group_bandwidth(8, 370 GB, 45 GB) / GB", 360.0, 1e-9),
        ("group_bandwidth(1, 370 GB, 45 GB) / GB", 45.0, 1e-9),
        ("group_bandwidth(16, 370 GB, 45 GB) / GB", 370.0, 1e-9),
        // ring and hierarchy of the topology lab
        ("ring_all_reduce_time(64, 2^14, 12 us, 45 GB) / ms", 1.513, 0.0005),
        ("2 * 7 * 3 us + tree_all_reduce_time(8, 2^14, 12 us, 8 * 45 GB) ", 0.000114, 0.0000005),
        (
            "(ring_all_reduce_time(8, 2^14, 3 us, 370 GB) + ring_all_reduce_time(8, 2^14/8, 12 us, 45 GB)) / ms",
            0.210,
            0.0005,
        ),
        ("ring_all_reduce_time(64, 2^30, 12 us, 45 GB) / ms", 48.488, 0.0005),
        ("ring_all_reduce_time(64, 2^30, 12 us, 8 * 45 GB) / ms", 7.384, 0.0005),
        ("(2 * 7 * 3 us + tree_all_reduce_time(8, 2^30, 12 us, 8 * 45 GB)) / ms", 6.079, 0.0005),
        (
            "(ring_all_reduce_time(8, 2^30, 3 us, 370 GB) + ring_all_reduce_time(8, 2^30/8, 12 us, 45 GB)) / ms",
            10.508,
            0.0005,
        ),
        ("4 * ring_all_reduce_time(8, 4096*8192*2, 3 us, 370 GB) / ms", 1.44, 0.005),
        (
            "4 * (ring_all_reduce_time(8, 4096*8192*2, 3 us, 370 GB) + ring_all_reduce_time(2, 4096*8192*2/8, 12 us, 45 GB)) / ms",
            2.28,
            0.005,
        ),
        // 32 nodes of 8, 2 GiB
        ("hierarchical_intra_bytes(8, 2 GiB) / GB", 3.76, 0.005),
        ("hierarchical_inter_bytes(32, 8, 2 GiB) / GB", 0.52, 0.005),
    ]);
}

#[test]
fn zero_numbers() {
    assert_comes_to(&[
        ("zero_state_bytes(7.5 billion, 64, 0) / GB", 120.0, 0.05),
        ("zero_state_bytes(7.5 billion, 64, 2) / GB", 16.64, 0.005),
        ("zero_state_bytes(7.5 billion, 64, 3) / GB", 1.875, 0.0005),
        ("zero_state_bytes(7.5 billion, 8, 1) / GB", 41.25, 0.005),
        ("zero_state_bytes(7.5 billion, 8, 2) / GB", 28.1, 0.05),
        ("zero_state_bytes(7.5 billion, 8, 3) / GB", 15.0, 0.05),
        ("zero_state_bytes_fp32_grads(7.5 billion, 64, 0) / GB", 135.0, 0.05),
        ("zero_state_bytes_fp32_grads(7.5 billion, 64, 1) / GB", 46.4, 0.05),
        ("zero_state_bytes(70 billion, 64, 1) / GB", 293.1, 0.05),
        ("zero_state_bytes(70 billion, 64, 2) / GB", 155.3, 0.05),
        ("zero_state_bytes(70 billion, 64, 3) / GB", 17.5, 0.05),
        ("zero_state_bytes(175 billion, 64, 1) / GB", 732.8, 0.05),
        ("zero_state_bytes(175 billion, 64, 2) / GB", 388.3, 0.05),
        ("zero_state_bytes(175 billion, 64, 3) / GB", 43.75, 0.005),
        ("zero_state_bytes(13 billion, 32, 1) / GB", 56.9, 0.05),
        ("zero_state_bytes(13 billion, 32, 2) / GB", 31.7, 0.05),
        ("zero_state_bytes(13 billion, 32, 3) / GB", 6.5, 0.05),
        ("zero_volume_bytes(7.5 billion, 64, 2, 1, 2) / GB", 29.5, 0.05),
        ("zero_volume_bytes(7.5 billion, 64, 3, 1, 2) / GB", 44.3, 0.05),
        ("zero_volume_bytes(70 billion, 64, 3, 1, 2) / GB", 413.0, 0.5),
        ("fsdp_nic_bytes(70 billion, 8, 8, 1) / GB", 45.9, 0.05),
        ("zero_volume_bytes(69 billion, 64, 3, 8, 2) / TB", 3.26, 0.005),
        ("zero_volume_bytes(69 billion, 64, 3, 8, 2) / 360 GB", 9.1, 0.06),
        ("fsdp_nic_bytes(6.74 billion, 8, 8, 1) / GB", 4.42, 0.005),
        ("fsdp_nic_bytes(6.74 billion, 8, 8, 8) / GB", 35.4, 0.05),
        ("fsdp_nic_bytes(13 billion, 16, 8, 1) / GB", 9.1, 0.05),
        ("hsdp_nic_bytes(13 billion, 16, 8) / GB", 6.1, 0.05),
        ("fsdp_volume_deferred(8)", 17.0, 0.0),
        ("zero_volume(2, 8)", 9.0, 0.0),
        ("checkpoint_bytes(70 billion) / TB", 0.98, 1e-9),
        ("gathered_layers_bytes(69 billion, 80) / GB", 3.45, 0.005),
    ]);
}

#[test]
fn tensor_and_sequence_numbers() {
    assert_comes_to(&[
        ("activation_message_bytes(1, 4096, 8192) / MB", 67.1, 0.05),
        ("ring_all_reduce_bytes(8, activation_message_bytes(1, 4096, 8192)) / MB", 117.4, 0.05),
        ("80 * tp_bytes_per_layer(8, 1, 4096, 8192) / GB", 37.6, 0.05),
        ("tp_bytes_per_layer(8, 1, 4096, 8192) / 370 GB / ms", 1.27, 0.005),
        ("tp_bytes_per_layer(8, 1, 4096, 8192) / 45 GB / ms", 10.4, 0.05),
        ("tp_bytes_per_layer(2, 1, 4096, 4096) / MB", 134.2, 0.05),
        ("100 * tp_comm_ratio(2, 4096, 593 TFLOP, 370 GB)", 8.7, 0.05),
        ("activation_bytes_layer(1, 2048, 12288, 96) / GB", 2.869, 0.0005),
        ("activation_bytes_layer_tp(1, 2048, 12288, 96, 8) / GB", 0.579, 0.0006),
        ("activation_bytes_layer_sp(1, 2048, 12288, 96, 8) / GB", 0.359, 0.0005),
        ("activation_bytes_layer_selective(1, 2048, 12288, 8) / GB", 0.107, 0.0005),
        ("activation_bytes_layer_full(1, 2048, 12288, 1) / GB", 0.050, 0.0005),
        ("logits_bytes(1, 4096, 128 * 1024, 1, 4) / GB", 2.1, 0.06),
        ("kv_head_copies(16, 8)", 2.0, 0.0),
        ("kv_head_copies(8, 8)", 1.0, 0.0),
        ("ring_attention_bytes(1, 131072, 8, 1024) / MB", 470.0, 0.5),
        ("ring_attention_hop_bytes(1, 131072, 8, 1024) / 370 GB / ms", 0.18, 0.005),
        ("ring_attention_hop_bytes(1, 131072, 8, 1024) / 45 GB / ms", 1.49, 0.005),
        ("attention_flop(1, 131072 / 8, 8192) / (0.5 * 989 TFLOP) / ms", 17.8, 0.05),
        ("ulysses_bytes(1, 131072, 8, 8192, 1024) / MB", 528.0, 0.6),
        ("ring_attention_bytes(1, 131072, 8, 4096) / GB", 1.88, 0.005),
        ("megatron_sp_bytes(1, 131072, 8, 4096) / GB", 3.76, 0.005),
        ("ring_attention_bytes(1, 32768, 8, 1024) / MB", 117.4, 0.05),
        ("ulysses_bytes(1, 32768, 8, 4096, 1024) / MB", 73.4, 0.05),
        ("megatron_sp_bytes(1, 32768, 8, 4096) / MB", 939.5, 0.05),
        ("ring_attention_tokens_to_hide(989 TFLOP, 450 GB, 1, 1)", 2198.0, 0.5),
        ("ring_attention_tokens_to_hide(989 TFLOP, 50 GB, 1, 1)", 19780.0, 0.5),
        ("ring_attention_tokens_to_hide(989 TFLOP, 50 GB, 8, 1)", 2472.5, 0.5),
        ("ring_over_ulysses(8, 4096, 4096)", 4.0, 1e-12),
        ("ring_over_ulysses(9, 8, 1)", 1.0, 1e-12),
        ("causal_pairs(16) / 4", 34.0, 0.0),
    ]);
}

#[test]
fn pipeline_expert_and_plan_numbers() {
    assert_comes_to(&[
        ("100 * bubble_fraction(4, 8)", 27.3, 0.05),
        ("100 * bubble_ratio(4, 8)", 37.5, 0.0),
        ("100 * bubble_fraction_interleaved(4, 8, 2)", 15.8, 0.05),
        ("100 * bubble_fraction_interleaved(4, 8, 4)", 8.6, 0.05),
        ("100 * bubble_fraction(8, 8)", 46.7, 0.05),
        ("100 * bubble_ratio(8, 8)", 87.5, 0.0),
        ("100 * bubble_fraction(16, 64)", 19.0, 0.05),
        ("micro_batches_for_bubble(4, 0.10)", 27.0, 0.0),
        ("micro_batches_for_bubble(16, 0.10)", 135.0, 0.0),
        ("3 * step_units(4, 8)", 33.0, 0.0),
        ("3 * step_units_slow_last_stage(4, 8, 1.5)", 45.0, 0.0),
        ("100 * bubble_ratio(8, 32)", 21.9, 0.05),
        ("100 * zero_bubble_h1_time(8, 1, 1, 1) / (32 * 3)", 7.3, 0.05),
        ("live_micro_batches(4, 8, 0) * 10 + live_micro_batches(4, 8, 3)", 41.0, 0.0),
        ("4 * interleaved_activation_factor(4, 2)", 5.5, 0.0),
        ("activation_message_bytes(1, 4096, 8192) / 45 GB / ms", 1.5, 0.05),
        ("expert_capacity(8192, 8, 64, 1)", 1024.0, 0.0),
        ("dispatch_bytes(4096, 2, 4096, 8) / MB", 58.7, 0.05),
        ("4 * dispatch_bytes(4096, 2, 4096, 8) / MB", 234.9, 0.05),
        ("dispatch_bytes_padded(8, 1280, 4096, 8) / MB", 73.4, 0.05),
        ("dispatch_bytes_padded(8, 2048, 4096, 8) / MB", 117.4, 0.05),
        ("100 * node_crossing_share(64, 8)", 87.5, 0.0),
        ("2 * 4096 * 8 * 7168 * 2 * node_crossing_share(64, 8) / 45 GB / ms", 18.3, 0.05),
        ("expert_data_degree(64, 4, 8, 1)", 2.0, 0.0),
        ("100 * load_efficiency(1024, 3058)", 33.5, 0.05),
        ("micro_batches(512, 1, 2)", 256.0, 0.0),
        ("tp_bytes_per_layer(8, 1, 4096, 8192) * 80/4 * 256 / TB", 2.41, 0.005),
        ("tp_bytes_per_layer(8, 1, 4096, 8192) * 80/4 * 256 / 370 GB", 6.5, 0.05),
        ("pp_bytes_per_step(256, 1, 4096, 8192, 8) / GB", 4.3, 0.05),
        ("ddp_gradient_bytes(69 billion / 32, 2, 2) / GB", 4.3, 0.05),
        ("compute_time(step_flop(69 billion, 512 * 4096), 64, 0.5 * 989 TFLOP)", 27.4, 0.05),
        ("rank_at(5, 0, 2, 8, 2)", 37.0, 0.0),
        ("world_size(8, 1, 4, 2)", 64.0, 0.0),
        ("global_batch(1, 256, 2)", 512.0, 0.0),
        ("100 * straggler_loss(0.15)", 13.0, 0.05),
        ("256 * straggler_loss(0.15)", 33.4, 0.05),
        ("time_between_failures(50000 hours, 64) / hours", 781.0, 0.5),
        ("checkpoint_interval(60, time_between_failures(50000 hours, 64)) / minutes", 306.0, 0.5),
        ("expected_greatest(8)", 1.42, 0.005),
        ("expected_greatest(32)", 2.07, 0.005),
        ("expected_greatest(256)", 2.83, 0.01),
    ]);
}

#[test]
fn the_formula_list_in_the_docs_is_the_one_in_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formulas.md");
    let made = formula::markdown();
    if std::env::var_os("INFRALENS_WRITE_DOCS").is_some() {
        std::fs::write(&path, &made).expect("docs can be written");
    }
    let kept = std::fs::read_to_string(&path).expect("docs/formulas.md is there");
    assert!(
        kept == made,
        "docs/formulas.md is out of date; run INFRALENS_WRITE_DOCS=1 cargo test --test sim_formula"
    );
}
