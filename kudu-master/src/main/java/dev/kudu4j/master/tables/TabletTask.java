package dev.kudu4j.master.tables;

import java.util.concurrent.CompletableFuture;

/**
 * Work for a tablet server, attempted until it is done or no longer needed. A task names only its
 * subject: before each attempt it looks up which state the subject should have.
 */
interface TabletTask {
  /** The outcome of an attempt. */
  enum Outcome {
    /** Nothing is left to do, or the reconciler will start the task again. */
    DONE,
    /** The desired state has changed; try again without a pause. */
    AGAIN_AT_ONCE,
    /** The attempt failed or its outcome is unknown; try again after a pause. */
    AGAIN_LATER
  }

  /** The identity of the task: tasks with the same key never run at the same time. */
  String key();

  /** The uuid of the server that the next attempt calls; empty when it is not known at present. */
  String server();

  /** Makes one attempt. Never blocks; a failure fails the future. */
  CompletableFuture<Outcome> attempt();
}
