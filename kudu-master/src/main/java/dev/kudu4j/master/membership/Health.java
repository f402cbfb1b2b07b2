package dev.kudu4j.master.membership;

import dev.kudu4j.common.proto.consensus.HealthReportPB;

/** What a leader thinks of a member. The later, the less it is worth to the group. */
public enum Health {
  HEALTHY,
  /** Not heard of yet, by a leader that is new. Neither relied upon nor given up. */
  UNKNOWN,
  /** Silent for long, or too far behind. It may come back. */
  FAILED,
  /** Its replica is gone or broken. Waiting does not help. */
  UNRECOVERABLE;

  public boolean isFailed() {
    return this == FAILED || this == UNRECOVERABLE;
  }

  static Health of(HealthReportPB report) {
    return switch (report.getOverallHealth()) {
      case HEALTHY -> HEALTHY;
      case UNKNOWN -> UNKNOWN;
      case FAILED -> FAILED;
      case FAILED_UNRECOVERABLE -> UNRECOVERABLE;
    };
  }
}
