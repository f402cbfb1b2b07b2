package dev.kudu4j.spark.read;

import dev.kudu4j.Schema;
import dev.kudu4j.client.KuduCondition;
import java.util.Optional;

/**
 * A fraction of the rows, which servers select by a hash of primary key and seed.
 *
 * @param fraction the share of the rows, from 0 to 1
 * @param condition true for the rows of the part; empty for all rows
 */
record PushedSample(double fraction, Optional<KuduCondition> condition) {
  static final PushedSample ALL = new PushedSample(1, Optional.empty());

  /** A part whose bounds may be beyond 0 and 1 by an error of rounding, as Spark's may. */
  static PushedSample of(double lower, double upper, long seed, Schema schema) {
    double from = within(lower);
    double to = within(upper);
    KuduCondition rows = KuduCondition.sample(schema.getPrimaryKeyColumns(), from, to, seed);
    return new PushedSample(to - from, Optional.of(rows));
  }

  private static double within(double bound) {
    return Math.min(1, Math.max(0, bound));
  }
}
