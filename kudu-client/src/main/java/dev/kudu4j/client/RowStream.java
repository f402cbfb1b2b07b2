package dev.kudu4j.client;

import dev.kudu4j.client.cluster.RemoteTablet;
import java.util.concurrent.CompletableFuture;

/** The rows of a scan, batch by batch, in whatever order. For one caller at a time. */
interface RowStream {
  /** The next batch, which may be without rows; not to be called once the stream is over. */
  CompletableFuture<RowResultIterator> nextRows();

  /** Whether no batch will come any more. */
  boolean isOver();

  /** Ends the scan at the servers. */
  CompletableFuture<Void> close();

  /** Keeps the scan alive at the servers. */
  CompletableFuture<Void> keepAlive();

  /** The snapshot that is read, if there is one and it is known. */
  long snapshot();

  /** The tablet of the last batch; null when there is none, or more than one. */
  RemoteTablet currentTablet();

  /** The server that has the scanner; null when none has, or more than one. */
  String serverId();

  /** The id of the scanner there, or null. */
  String scannerId();
}
