package dev.kudu4j.benchmarks.ycsb;

import java.util.Locale;

/** The timed operations. */
enum OperationKind {
  READ,
  UPDATE,
  INSERT,
  SCAN,
  DELETE,
  /** A read and the update that follows it, together; both are also counted separately. */
  READ_MODIFY_WRITE;

  String title() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
