package dev.kudu4j.tools.cluster;

/** Whether a server does its work, in Apache Kudu's words. */
enum ServerHealth {
  HEALTHY,
  UNAVAILABLE,
  /** Another server answers at its address. */
  WRONG_SERVER_UUID
}
