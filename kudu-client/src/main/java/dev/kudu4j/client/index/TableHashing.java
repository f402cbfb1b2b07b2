package dev.kudu4j.client.index;

import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.RemoteTablet;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** Makes tablet servers add up the hashes of the rows of tables, some tablets at a time. */
public final class TableHashing {
  private final Cluster cluster;
  private final Queue<Part> waiting = new ConcurrentLinkedQueue<>();

  private record Part(RemoteTablet tablet, HashedScan scan, RowSums total) {}

  public TableHashing(Cluster cluster) {
    this.cluster = cluster;
  }

  /** Adds a table, whose sums will be added to a total. */
  public void add(List<RemoteTablet> tablets, HashedScan scan, RowSums total) {
    tablets.forEach(tablet -> waiting.add(new Part(tablet, scan, total)));
  }

  /** Reads all of them. If a tablet fails, no further ones are begun. */
  public CompletableFuture<Void> run(int tabletsAtATime) {
    return CompletableFuture.allOf(
        Stream.generate(this::readNext).limit(tabletsAtATime).toArray(CompletableFuture<?>[]::new));
  }

  private CompletableFuture<Void> readNext() {
    Part part = waiting.poll();
    if (part == null) {
      return CompletableFuture.completedFuture(null);
    }
    return new TabletHashing(cluster, part.tablet(), part.scan())
        .read()
        .whenComplete(
            (sums, failure) -> {
              if (failure == null) {
                part.total().add(sums);
              } else {
                waiting.clear();
              }
            })
        .thenCompose(sums -> readNext());
  }
}
