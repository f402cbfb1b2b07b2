package dev.kudu4j.benchmarks.ycsb;

import java.util.Locale;

/** The distribution of the requested records. */
enum RequestDistribution {
  /** A few records very often, according to Zipf's law, spread over all keys. */
  ZIPFIAN,
  /** All records with the same probability. */
  UNIFORM;

  /** The name in YCSB and in our tables. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
