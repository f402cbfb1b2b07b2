package dev.kudu4j.benchmarks.ycsb.ours;

import dev.kudu4j.client.Status;

/** Maps the errors of Kudu to YCSB's statuses. */
final class Answers {
  /**
   * YCSB has no constants for these two statuses, so they are defined here. YCSB's reports count
   * statuses by name.
   */
  static final site.ycsb.Status ALREADY_PRESENT =
      new site.ycsb.Status("ALREADY_PRESENT", "A record with this key is there already.");

  static final site.ycsb.Status TIMED_OUT =
      new site.ycsb.Status("TIMED_OUT", "No response came in time.");

  private Answers() {}

  static site.ycsb.Status of(Status status) {
    if (status.ok()) {
      return site.ycsb.Status.OK;
    } else if (status.isNotFound()) {
      return site.ycsb.Status.NOT_FOUND;
    } else if (status.isAlreadyPresent()) {
      return ALREADY_PRESENT;
    } else if (status.isTimedOut()) {
      return TIMED_OUT;
    } else if (status.isServiceUnavailable() || status.isNetworkError()) {
      return site.ycsb.Status.SERVICE_UNAVAILABLE;
    } else if (status.isInvalidArgument() || status.isNotSupported()) {
      return site.ycsb.Status.BAD_REQUEST;
    } else if (status.isNotAuthorized()) {
      return site.ycsb.Status.FORBIDDEN;
    } else if (status.isIllegalState() || status.isUninitialized()) {
      return site.ycsb.Status.UNEXPECTED_STATE;
    }
    return site.ycsb.Status.ERROR;
  }
}
