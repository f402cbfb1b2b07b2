package dev.kudu4j.benchmarks.ycsb;

import java.util.Locale;

/** The timed operations. */
enum OperationKind {
  READ,
  UPDATE,
  INSERT,
  SCAN,
  DELETE,
  /**
   * A read and the update that follows it, timed together. The read and the update are also timed
   * separately.
   */
  READ_MODIFY_WRITE;

  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
