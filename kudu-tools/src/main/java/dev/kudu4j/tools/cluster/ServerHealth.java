package dev.kudu4j.tools.cluster;

/** The health of a server, in Apache Kudu's words. */
enum ServerHealth {
  HEALTHY,
  UNAVAILABLE,
  /** It responds, but the master gets no reports of its tablets, or not of all. */
  REPORTS_FAIL,
  /** Another server responds at its address. */
  WRONG_SERVER_UUID
}
