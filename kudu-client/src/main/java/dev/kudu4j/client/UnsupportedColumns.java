package dev.kudu4j.client;

import dev.kudu4j.client.cluster.Failures;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.master.MasterFeatures;
import dev.kudu4j.common.rpc.RpcException;
import dev.kudu4j.common.status.KuduException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * Explains why a master rejects columns that only Kudu4j has. Such a master would otherwise drop
 * the attribute, and the column would silently become another one.
 */
final class UnsupportedColumns {
  private UnsupportedColumns() {}

  /**
   * The failure, with the columns and what the user can do if the master does not support columns
   * without time zone.
   *
   * @param columns the new columns of the request
   */
  static <T> CompletableFuture<T> explained(Throwable failure, List<ColumnSchemaPB> columns) {
    return CompletableFuture.failedFuture(
        lacksTimestamps(failure) ? explanation(failure, columns) : failure);
  }

  private static boolean lacksTimestamps(Throwable failure) {
    return Failures.unwrap(failure).getCause() instanceof RpcException refused
        && refused.unsupportedFeatures().contains(MasterFeatures.WITHOUT_TIME_ZONE_VALUE);
  }

  private static KuduException explanation(Throwable failure, List<ColumnSchemaPB> columns) {
    String names =
        columns.stream()
            .filter(ColumnSchemaPB::getWithoutTimeZone)
            .map(ColumnSchemaPB::getName)
            .collect(Collectors.joining(", "));
    Throwable refused = Failures.unwrap(failure);
    return new KuduException(
        ((KuduException) refused).code(),
        "Timestamps without time zone (column "
            + names
            + ") need servers of Kudu4j of this version; on this cluster, use UNIXTIME_MICROS with"
            + " time zone (TIMESTAMP in Spark) and store the date-times as UTC",
        refused);
  }
}
