package dev.kudu4j.benchmarks.ycsb;

import java.util.Locale;

/** Which records are asked for. */
enum RequestDistribution {
  /** A few again and again, as Zipf's law has it, spread over all keys. */
  ZIPFIAN,
  /** Each as likely as any other. */
  UNIFORM;

  /** As YCSB and our tables call it. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
