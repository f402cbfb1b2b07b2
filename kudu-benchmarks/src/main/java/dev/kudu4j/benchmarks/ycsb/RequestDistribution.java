package dev.kudu4j.benchmarks.ycsb;

import java.util.Locale;

/** The distribution of the requested records. */
enum RequestDistribution {
  /** A few records very often, according to Zipf's law, spread over all keys. */
  ZIPFIAN,
  /** All records with the same probability. */
  UNIFORM;

  /** The name in YCSB's properties and in the report. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
