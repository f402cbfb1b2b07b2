package dev.kudu4j.client.scan;

import com.google.protobuf.ByteString;
import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.RemoteTablet;
import dev.kudu4j.client.cluster.ReplicaChoice;
import dev.kudu4j.client.cluster.TableTablets;
import dev.kudu4j.client.cluster.TabletCall;
import dev.kudu4j.common.proto.common.KeyRangePB;
import dev.kudu4j.common.proto.tserver.SplitKeyRangeRequestPB;
import dev.kudu4j.common.proto.tserver.SplitKeyRangeResponsePB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Splits a scan into pieces that can be read independently: its tablets, or intervals of primary
 * keys of about the same size, which the servers choose. Asks all tablets concurrently.
 */
public final class ScanSplitter {
  private static final TabletCall<SplitKeyRangeResponsePB> SPLIT =
      new TabletCall<>(
          "SplitKeyRange",
          SplitKeyRangeResponsePB.parser(),
          SplitKeyRangeResponsePB::getError,
          List.of(),
          false);

  private final Cluster cluster;
  private final TableTablets tablets;
  private final ScanQuery query;
  private final Deadline deadline;

  public ScanSplitter(Cluster cluster, TableTablets tablets, ScanQuery query, Deadline deadline) {
    this.cluster = cluster;
    this.tablets = tablets;
    this.query = query;
    this.deadline = deadline;
  }

  /**
   * A tablet, or a part of one.
   *
   * @param keys encoded primary keys, within those of the scan
   * @param bytes estimated size of the scan's columns in this piece; 0 if unknown
   */
  public record Piece(RemoteTablet tablet, KeyInterval keys, long bytes) {}

  /**
   * The pieces, in the order of the tablets.
   *
   * @param pieceBytes target size of a piece; 0 or less for one piece per tablet
   */
  public CompletableFuture<List<Piece>> pieces(long pieceBytes) {
    return tablets()
        .thenCompose(
            found -> inOrder(found.stream().map(tablet -> pieces(tablet, pieceBytes)).toList()));
  }

  /** The tablets that can have rows of the scan, in the order of their partition keys. */
  public CompletableFuture<List<RemoteTablet>> tablets() {
    return inOrder(
            query.intervals().stream()
                .map(interval -> tablets.between(interval.start(), interval.end(), deadline))
                .toList())
        .thenApply(
            found -> {
              Map<String, RemoteTablet> distinct = new LinkedHashMap<>();
              found.forEach(tablet -> distinct.putIfAbsent(tablet.tabletId(), tablet));
              return List.copyOf(distinct.values());
            });
  }

  private CompletableFuture<List<Piece>> pieces(RemoteTablet tablet, long pieceBytes) {
    if (pieceBytes <= 0) {
      return CompletableFuture.completedFuture(List.of(new Piece(tablet, query.primaryKeys(), 0)));
    }
    SplitKeyRangeRequestPB.Builder request =
        SplitKeyRangeRequestPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(tablet.tabletId()))
            .setTargetChunkSizeBytes(pieceBytes)
            .addAllColumns(columns().toWire());
    if (query.lowerKey() != null) {
      request.setStartPrimaryKey(ByteString.copyFrom(query.lowerKey()));
    }
    if (query.upperKey() != null) {
      request.setStopPrimaryKey(ByteString.copyFrom(query.upperKey()));
    }
    SplitKeyRangeRequestPB whole = request.build();
    return cluster
        .call(tablet, ReplicaChoice.LEADER, SPLIT, replica -> whole, deadline)
        .thenApply(
            reply -> {
              try (var response = reply.response()) {
                return pieces(tablet, response.message());
              }
            });
  }

  /** The columns as the tablets have them: in an index, NOT NULL if they are indexed. */
  private ProjectedColumns columns() {
    Schema read = query.columnsRead().schema();
    List<ColumnSchema> columns =
        read.columns().stream()
            .map(
                column -> {
                  int known = query.table().indexOfName(column.name());
                  return known < 0 || query.table().column(known).isNullable()
                      ? column
                      : column.toBuilder().nullable(false).build();
                })
            .toList();
    return columns.equals(read.columns())
        ? query.columnsRead()
        : new ProjectedColumns(new Schema(columns));
  }

  private List<Piece> pieces(RemoteTablet tablet, SplitKeyRangeResponsePB answer) {
    if (answer.getRangesCount() == 0) { // without a piece no row would be read
      return List.of(new Piece(tablet, query.primaryKeys(), 0));
    }
    List<Piece> pieces = new ArrayList<>();
    for (KeyRangePB range : answer.getRangesList()) {
      KeyInterval keys =
          new KeyInterval(
              range.getStartPrimaryKey().toByteArray(), range.getStopPrimaryKey().toByteArray());
      pieces.add(
          new Piece(tablet, query.primaryKeys().intersect(keys), range.getSizeBytesEstimates()));
    }
    return pieces;
  }

  private static <T> CompletableFuture<List<T>> inOrder(List<CompletableFuture<List<T>>> parts) {
    return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
        .thenApply(done -> parts.stream().flatMap(part -> part.join().stream()).toList());
  }
}
