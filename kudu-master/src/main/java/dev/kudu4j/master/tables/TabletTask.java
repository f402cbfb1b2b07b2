package dev.kudu4j.master.tables;

import java.util.concurrent.CompletableFuture;

/**
 * Something that a tablet server has to do, tried until it is done or no longer wanted. It holds no
 * orders: before each attempt it looks up what is wanted.
 */
interface TabletTask {
  /** The outcome of an attempt. */
  enum Outcome {
    /** Nothing is left to do, or the reconciler will find what is. */
    DONE,
    /** Something else is wanted now. */
    AGAIN_AT_ONCE,
    /** It failed or its outcome is unknown; try again after a pause. */
    AGAIN_LATER
  }

  /** Tasks with one key never run at the same time. */
  String key();

  /** The server that the next attempt goes to; empty when there is none at present. */
  String server();

  /** Tries once. Never blocks; failures are in the future. */
  CompletableFuture<Outcome> attempt();
}
