package dev.kudu4j.server.leaders;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.PartitionPB;
import dev.kudu4j.common.proto.master.GetTableLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTableLocationsResponsePB;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.proto.master.TabletLocationsPB;
import dev.kudu4j.common.proto.transactions.CoordinateTransactionRequestPB;
import dev.kudu4j.common.proto.transactions.CoordinateTransactionResponsePB;
import dev.kudu4j.common.proto.transactions.CoordinatorOpPB;
import dev.kudu4j.common.proto.transactions.CoordinatorOpResultPB;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.transaction.StatusTable;
import dev.kudu4j.common.wire.StatusWire;
import java.util.NavigableMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Calls the coordinators of transactions: the leaders of the tablets of {@link StatusTable}.
 * Thread-safe.
 */
public final class CoordinatorClient {
  /**
   * One tablet of the table.
   *
   * @param endId exclusive
   */
  public record StatusTablet(String tabletId, long firstId, long endId) {}

  /** The cluster has no table of transactions, so it has no transactions. */
  public static final class NoStatusTableException extends KuduException {
    private static final long serialVersionUID = 1L;

    NoStatusTableException() {
      super(StatusCode.NOT_FOUND, "Table " + StatusTable.NAME + " does not exist");
    }
  }

  private final LeadingMaster master;
  private final TabletLeaders leaders;

  /** By first id. Ranges never change, and tablets are only added. */
  private final NavigableMap<Long, StatusTablet> known = new ConcurrentSkipListMap<>();

  public CoordinatorClient(LeadingMaster master, TabletLeaders leaders) {
    this.master = master;
    this.leaders = leaders;
  }

  /**
   * Sends an operation on an existing transaction to its coordinator. Fails with {@link
   * RefusedException} if the coordinator refuses it, and with NOT_FOUND if no tablet covers the id.
   *
   * @param deadlineNanos on the scale of {@link System#nanoTime}
   */
  public CompletableFuture<CoordinatorOpResultPB> call(
      CoordinatorOpPB operation, long deadlineNanos) {
    return tabletOf(operation.getTxnId(), deadlineNanos)
        .thenCompose(tablet -> call(tablet, operation, deadlineNanos));
  }

  /** Sends an operation to the coordinator of a tablet. */
  public CompletableFuture<CoordinatorOpResultPB> call(
      StatusTablet tablet, CoordinatorOpPB operation, long deadlineNanos) {
    CoordinateTransactionRequestPB request =
        CoordinateTransactionRequestPB.newBuilder()
            .setTxnStatusTabletId(ByteString.copyFromUtf8(tablet.tabletId))
            .setOp(operation)
            .build();
    return leaders
        .call(
            tablet.tabletId,
            "CoordinateTransaction",
            request,
            CoordinateTransactionResponsePB.parser(),
            CoordinateTransactionResponsePB::getError,
            deadlineNanos)
        .thenApply(
            response -> {
              CoordinatorOpResultPB result = response.getOpResult();
              if (result.hasOpError()) {
                throw new RefusedException(StatusWire.fromWire(result.getOpError()));
              }
              return result;
            });
  }

  /**
   * The tablet with the highest ids, which may have been remembered. Fails with {@link
   * NoStatusTableException} if the table does not exist.
   */
  public CompletableFuture<StatusTablet> lastTablet(long deadlineNanos) {
    var last = known.lastEntry();
    return last != null
        ? CompletableFuture.completedFuture(last.getValue())
        : findLastTablet(deadlineNanos);
  }

  /** Like {@link #lastTablet}, but asks the leading master in any case. */
  public CompletableFuture<StatusTablet> findLastTablet(long deadlineNanos) {
    return locate(Long.MAX_VALUE, deadlineNanos);
  }

  private CompletableFuture<StatusTablet> tabletOf(long id, long deadlineNanos) {
    var remembered = known.floorEntry(id);
    if (remembered != null && id < remembered.getValue().endId) {
      return CompletableFuture.completedFuture(remembered.getValue());
    }
    return locate(id, deadlineNanos)
        .thenApply(
            tablet -> {
              if (id < tablet.firstId || id >= tablet.endId) {
                throw unknown(id);
              }
              return tablet;
            });
  }

  /** The failure of an operation on a transaction that never began. */
  public static KuduException unknown(long id) {
    return new RefusedException(KuduException.notFound("transaction ID %d not found", id));
  }

  /** The tablet whose range contains the id, or else the last one before it. */
  private CompletableFuture<StatusTablet> locate(long id, long deadlineNanos) {
    GetTableLocationsRequestPB request =
        GetTableLocationsRequestPB.newBuilder()
            .setTable(TableIdentifierPB.newBuilder().setTableName(StatusTable.NAME))
            .setPartitionKeyStart(ByteString.copyFrom(StatusTable.partitionKey(id)))
            .setMaxReturnedLocations(1)
            .setInternTsInfosInResponse(true)
            .build();
    return master
        .call(
            LeadingMaster.SERVICE,
            "GetTableLocations",
            request,
            GetTableLocationsResponsePB.parser(),
            GetTableLocationsResponsePB::getError,
            deadlineNanos)
        .handle(
            (response, failure) -> {
              if (failure == null) {
                return learn(response);
              }
              Throwable cause = Failures.unwrap(failure);
              throw cause instanceof KuduException known && known.code() == StatusCode.NOT_FOUND
                  ? new NoStatusTableException()
                  : new CompletionException(cause);
            });
  }

  private StatusTablet learn(GetTableLocationsResponsePB response) {
    if (response.getTabletLocationsCount() == 0) {
      throw new NoStatusTableException();
    }
    TabletLocationsPB location = response.getTabletLocations(0);
    leaders.learn(location, response.getTsInfosList());
    PartitionPB range = location.getPartition();
    StatusTablet tablet =
        new StatusTablet(
            location.getTabletId().toStringUtf8(),
            StatusTable.transaction(range.getPartitionKeyStart().toByteArray(), 0),
            StatusTable.transaction(range.getPartitionKeyEnd().toByteArray(), Long.MAX_VALUE));
    known.put(tablet.firstId, tablet);
    return tablet;
  }
}
