package dev.kudu4j.server.transport;

/** The purpose of a connection. Heartbeats have a separate one and never queue behind data. */
enum Purpose {
  DATA,
  CONTROL
}
