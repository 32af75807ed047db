//! Tests of quantities.

use proptest::prelude::*;

use super::*;

#[test]
fn typed_numbers_are_read_in_the_unit_asked_for() {
    for (text, asked, expected) in [
        ("3.5GB", "GB", 3.5),
        ("3.5e9 B", "GB", 3.5),
        ("3.2596 GiB", "GB", 3.5),
        ("3500 MB", "GB", 3.5),
        ("3.5", "GB", 3.5),
        (" ~ 82 ms ", "ms", 82.0),
        ("0.082 s", "ms", 82.0),
        ("82000 µs", "ms", 82.0),
        ("9.9%", "%", 9.9),
        ("9.9 percent", "%", 9.9),
        ("1,374 tokens", "tokens", 1374.0),
        ("1374", "tokens", 1374.0),
        ("10.99k", "tokens", 10990.0),
        ("3,5 GB", "GB", 3.5),
        ("1,234,567.5", "", 1_234_567.5),
        ("-2e-3", "", -0.002),
        ("400 Gb/s", "GB/s", 50.0),
        ("0.5 TFLOP/s", "GFLOP/s", 500.0),
        ("63 micro-batches", "micro-batches", 63.0),
        ("24 x Psi", "x Psi", 24.0),
        ("7 billion", "", 7e9),
        ("70B", "billion", 70.0),
    ] {
        let value = read(text, asked).unwrap_or_else(|f| panic!("{text}: {f}"));
        assert!((value - expected).abs() < 1e-4 * expected.abs(), "{text} gives {value}");
    }
}

#[test]
fn other_units_and_no_numbers_are_told() {
    assert_eq!(read("82 ms", "GB").expect_err("time for bytes").at, 3);
    assert_eq!(read("fast", "ms").expect_err("no number").what, "`fast` is no number");
    assert_eq!(read("  ", "ms").expect_err("empty").what, "nothing is written");
    assert!(read("3 furlongs", "GB").is_err());
}

#[test]
fn values_are_written_for_people() {
    for (value, unit, expected) in [
        (29.53125e9, GB, "29.5 GB"),
        (1.879e9, GB, "1.88 GB"),
        (26_214_400.0, MIB, "25 MiB"),
        (1_073_741_824.0, MIB, "1 GiB"),
        (0.00508, SECONDS, "5.08 ms"),
        (27.43, MS, "27.4 s"),
        (0.0986, PERCENT, "9.86%"),
        (0.0, SECONDS, "0 s"),
        (370e9, GB_PER_S, "370 GB/s"),
        (1374.4, Unit::count("tokens"), "1,374 tokens"),
        (7.5e9, BILLION, "7.5B"),
        (3.0, PLAIN, "3"),
        (1.0, Unit::count("micro-batches"), "1 micro-batch"),
        (1.0, Unit::count("ranks"), "1 rank"),
        (0.001_000_000_1, SECONDS, "1 ms"),
        (f64::NAN, PLAIN, "?"),
    ] {
        assert_eq!(show(value, unit), expected);
    }
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in "[ -~µ≈]{0,20}", asked in "[ -~]{0,5}") {
        if let Err(fault) = read(&text, &asked) {
            prop_assert!(fault.at <= text.len());
        }
    }

    #[test]
    fn any_value_is_written(value in proptest::num::f64::ANY) {
        for unit in UNITS {
            prop_assert!(!show(value, *unit).is_empty());
        }
    }
}

#[test]
fn what_is_counted_is_named_by_its_name_and_calculations_are_worked_out() {
    assert_eq!(read("5 buckets", "buckets"), Ok(5.0));
    assert_eq!(read("1 bucket", "buckets"), Ok(1.0));
    assert_eq!(read("1 micro-batch", "micro-batches"), Ok(1.0));
    assert_eq!(read("7*8", "buckets"), Ok(56.0));
    assert_eq!(read("2*3.5 s", "ms"), Ok(7000.0));
    for typed in ["5 msp", "5 ms", "5 apples"] {
        let fault = read(typed, "buckets").expect_err(typed);
        assert!(fault.what.contains("is not a unit for this") && fault.cure.contains("buckets"), "{fault}");
    }
    assert!(read("5 msp", "").is_err());
}
