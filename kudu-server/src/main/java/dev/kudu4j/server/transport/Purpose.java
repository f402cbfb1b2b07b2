package dev.kudu4j.server.transport;

/**
 * The purpose of a connection. Heartbeats are sent on the CONTROL connection, so they never queue
 * behind the log entries on the DATA connection.
 */
enum Purpose {
  DATA,
  CONTROL
}
