package dev.kudu4j.tserver.scan;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A batch that is prepared before the client asks for it. The monitor of its {@link OpenScanner}
 * guards {@link #started}.
 */
final class NextBatch {
  /** Completes with the batch; with null if there was no memory to prepare it. */
  final CompletableFuture<@Nullable ScanBatch> batch = new CompletableFuture<>();

  boolean started;

  /** Releases the batch as soon as it exists, because no call will return it. */
  void discard() {
    batch.thenAccept(
        made -> {
          if (made != null) {
            made.release();
          }
        });
  }
}
