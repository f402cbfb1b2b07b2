package dev.kudu4j.tools.cluster;

/** Whether a server does its work, in Apache Kudu's words. */
enum ServerHealth {
  HEALTHY,
  UNAVAILABLE,
  /** It answers, but the master does not hear of its tablets, or not of all. */
  REPORTS_FAIL,
  /** Another server answers at its address. */
  WRONG_SERVER_UUID
}
