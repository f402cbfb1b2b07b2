package dev.kudu4j.master.membership;

import dev.kudu4j.common.proto.consensus.HealthReportPB;

/** How a leader judges a member, from best to worst. */
public enum Health {
  HEALTHY,
  /** A new leader has not heard from it yet. Neither relied upon nor given up. */
  UNKNOWN,
  /** Silent for too long, or too far behind. It may recover. */
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
