package dev.kudu4j.server.transport;

/** What a connection is for. Heartbeats have one of their own, so as never to queue behind data. */
enum Purpose {
  DATA,
  CONTROL
}
