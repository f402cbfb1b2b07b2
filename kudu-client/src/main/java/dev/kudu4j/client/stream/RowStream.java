package dev.kudu4j.client.stream;

import dev.kudu4j.client.cluster.RemoteTablet;
import java.util.concurrent.CompletableFuture;

/**
 * The rows of a scan, batch by batch, in any order. For one caller at a time.
 *
 * @param <B> a batch as the user reads it
 */
public interface RowStream<B> {
  /** The next batch, which may have no rows. Not called once the stream is over. */
  CompletableFuture<B> nextRows();

  /** Whether the last batch has been returned. */
  boolean isOver();

  /** Ends the scan at the servers. */
  CompletableFuture<Void> close();

  /** Keeps the scan alive at the servers. */
  CompletableFuture<Void> keepAlive();

  /** The snapshot that the scan reads, once it is known. */
  long snapshot();

  /** The tablet of the last batch; null if there is none, or more than one. */
  RemoteTablet currentTablet();

  /** The server that holds the scanner; null if none does, or more than one. */
  String serverId();

  /** The id of the scanner that {@link #serverId} refers to, or null. */
  String scannerId();
}
