package dev.kudu4j.common.rpc.execution;

/** The cost of a call of a method, which decides the threads that may run it. */
public enum CallCost {
  /** Takes some microseconds, and does not block except through a checked operation. */
  SHORT,

  /** May take long, but only computes and reads. */
  LONG,

  /** May wait for other servers, for a quorum or for durable writes. */
  BLOCKING
}
