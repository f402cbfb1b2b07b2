package dev.kudu4j.master.membership;

import dev.kudu4j.common.proto.consensus.HealthReportPB;

/** How a leader judges a member, from best to worst. */
public enum Health {
  HEALTHY,
  /** A new leader has not heard from the member yet. It is not counted as healthy, nor replaced. */
  UNKNOWN,
  /** The member has been silent for too long, or is too far behind. It may recover. */
  FAILED,
  /** The member's replica is gone or broken, and will not recover. */
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
