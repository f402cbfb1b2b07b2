package dev.kudu4j.tools.cluster;

/** The health of a server, in Apache Kudu's words. */
enum ServerHealth {
  HEALTHY,
  UNAVAILABLE,
  /** The server responds, but the master gets no or incomplete tablet reports from it. */
  REPORTS_FAIL,
  /** At the server's address a server with another uuid responds. */
  WRONG_SERVER_UUID
}
