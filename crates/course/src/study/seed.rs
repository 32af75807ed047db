//! Draws that a seed decides: the same seed gives the same draw on every machine, for ever.

/// A generator of 64-bit numbers, SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom
/// number generators", OOPSLA 2014). Small, even, and good enough to draw questions; no secret
/// may depend on it.
#[derive(Debug, Clone)]
pub struct Seed(u64);

impl Seed {
    /// A generator that starts from a number.
    pub fn new(seed: u64) -> Self {
        Seed(seed)
    }

    /// The next number, any of all 64-bit ones.
    pub(crate) fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`; 0 where `end` is 0. The bias is below `end` / 2^64.
    pub fn below(&mut self, end: usize) -> usize {
        let wide = u128::from(self.next_u64()) * end as u128;
        (wide >> 64) as usize
    }

    /// One of some things. None of none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let at = self.below(from.len());
        from.get(at)
    }

    /// The numbers below `count` in a drawn order (Fisher-Yates).
    pub fn order(&mut self, count: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            order.swap(last, self.below(last + 1));
        }
        order
    }
}

#[cfg(test)]
mod tests {
    use super::Seed;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        // the first outputs of SplitMix64 for seed 1234567, as in its reference C code
        let mut seed = Seed::new(1_234_567);
        let expected = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
            4_593_380_528_125_082_431,
            16_408_922_859_458_223_821,
        ];
        assert_eq!(expected.map(|_| seed.next_u64()), expected);
    }

    #[test]
    fn an_order_holds_everything_once_and_differs_by_seed() {
        let mut seen = std::collections::BTreeSet::new();
        for seed in 0..50 {
            let order = Seed::new(seed).order(4);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3]);
            seen.insert(order);
        }
        assert!(seen.len() > 15, "only {} orders", seen.len());
    }

    #[test]
    fn nothing_is_drawn_from_nothing() {
        assert_eq!(Seed::new(1).below(0), 0);
        assert_eq!(Seed::new(1).pick::<u8>(&[]), None);
        assert_eq!(Seed::new(1).order(0), Vec::<usize>::new());
    }
}
