package dev.kudu4j.tools.cluster;

/** The health of a server, in Apache Kudu's words. */
enum ServerHealth {
  HEALTHY,
  UNAVAILABLE,
  /** The server responds, but the master gets no or incomplete tablet reports from it. */
  REPORTS_FAIL,
  /** A server with a different uuid responds at the server's address. */
  WRONG_SERVER_UUID
}
