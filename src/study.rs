//! What to do next: sessions, schedule, strengths.
