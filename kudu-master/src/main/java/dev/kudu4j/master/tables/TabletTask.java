package dev.kudu4j.master.tables;

import java.util.concurrent.CompletableFuture;

/**
 * Something that a tablet server has to do, tried until it is done or no longer wanted. It holds no
 * orders: before each attempt it looks up what is wanted now.
 */
interface TabletTask {
  /** What a try came to. */
  enum Outcome {
    /** Nothing is left to do, or somebody else will notice what is. */
    DONE,
    /** Something else is wanted by now. */
    AGAIN_AT_ONCE,
    /** It did not work, or not surely; try after a while. */
    AGAIN_LATER
  }

  /** Tasks with one key never run at the same time. */
  String key();

  /** The server that the next attempt goes to; empty when there is none at present. */
  String server();

  /** Tries once. Never blocks; what goes wrong is in the future. */
  CompletableFuture<Outcome> attempt();
}
