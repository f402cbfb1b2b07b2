package dev.kudu4j.tserver.scan;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.key.KeyDecoder;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.ColumnPredicates;
import dev.kudu4j.common.proto.common.OrderMode;
import dev.kudu4j.common.proto.common.ReadMode;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.RowFormatFlags;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Projection;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.schema.SchemaException;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.ConditionWire;
import dev.kudu4j.common.wire.ExpressionWire;
import dev.kudu4j.common.wire.PredicateWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.common.wire.TopNWire;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.index.IndexHint;
import dev.kudu4j.tserver.error.TabletServerError;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A scan request, checked against the tablet's schema: a {@link ScanSpec} without the snapshot.
 *
 * @param projection the columns of the result, with ids; those of the groups if there is an
 *     aggregation
 * @param wholeKey whether the projection contains all key columns; then even an unordered scan
 *     returns the last key
 * @param predicates joined by AND, merged
 * @param condition a filter in addition to the predicates; null for none
 * @param aggregation turns the rows into groups; null to return rows
 * @param top restricts the rows to at least the first in an order; null for all rows
 * @param keys encoded, ascending; the scan reads only the rows with these keys; null for all rows
 * @param pointRead whether the scan reads only a few rows, each by its whole key
 * @param readMode determines the snapshot
 * @param ordered whether rows are returned in key order
 * @param limit the maximum rows
 * @param rowFormatFlags see {@link RowFormatFlags}
 * @param indexHint which indexes the scan may use
 */
record ScanPlan(
    Schema projection,
    boolean wholeKey,
    List<ColumnPredicate> predicates,
    @Nullable Condition condition,
    @Nullable Aggregation aggregation,
    @Nullable TopN top,
    byte @Nullable [] lowerKey,
    byte @Nullable [] upperKey,
    byte @Nullable [] afterKey,
    @Nullable List<byte[]> keys,
    boolean pointRead,
    ReadMode readMode,
    boolean ordered,
    boolean diff,
    long limit,
    long rowFormatFlags,
    IndexHint indexHint) {
  private static final int MAX_POINT_READ_ROWS = 64;
  private static final int MAX_CELL_BYTES = 64 << 10;

  /**
   * @param indexes returns those of the tablet; called if the request names one
   * @throws KuduException with the protocol's error code for an invalid request
   */
  static ScanPlan of(
      NewScanRequestPB request, Schema tablet, Supplier<List<IndexDefinition>> indexes) {
    Projection projection =
        Projection.of(
            SchemaWire.columns(request.getProjectedColumnsList()),
            tablet,
            request.getInsteadOfTable());
    boolean ordered = checkOrder(request);
    boolean diff = request.hasSnapStartTimestamp();
    if (diff) {
      checkDiff(request, ordered, projection);
    }
    long flags = request.getRowFormatFlags();
    if (isColumnar(flags) && isPadded(flags)) {
      throw invalidSpec(
          "Row format flags PAD_UNIX_TIME_MICROS_TO_16_BYTES and COLUMNAR_LAYOUT exclude each"
              + " other");
    }
    if (request.getInsteadOfTable() && !isColumnar(flags) && !request.hasAggregation()) {
      throw invalidSpec("An index is read instead of its table with columnar rows only");
    }
    if (request.hasStartPrimaryKey() && ordered && request.hasLastPrimaryKey()) {
      throw invalidSpec("Cannot specify both a start key and a last key");
    }
    List<ColumnPredicate> predicates = predicates(request, tablet);
    Aggregation aggregation = aggregation(request, tablet);
    List<byte[]> keys = keys(request, ordered, tablet);
    return new ScanPlan(
        aggregation == null ? projection.schema() : aggregation.resultColumns(),
        aggregation == null && projection.holdsWholeKey(tablet),
        predicates,
        condition(request, tablet),
        aggregation,
        top(request, projection.schema(), tablet),
        key("start", request.hasStartPrimaryKey(), request.getStartPrimaryKey(), tablet),
        key("stop", request.hasStopPrimaryKey(), request.getStopPrimaryKey(), tablet),
        ordered
            ? key("last", request.hasLastPrimaryKey(), request.getLastPrimaryKey(), tablet)
            : null,
        keys,
        keys == null ? fixWholeKey(predicates, tablet) : keys.size() <= MAX_POINT_READ_ROWS,
        request.getReadMode(),
        ordered,
        diff,
        limit(request),
        flags,
        IndexHints.of(request, indexes));
  }

  /** The complete specification, with the chosen snapshot. */
  ScanSpec at(long snapshot, long diffStart) {
    ScanSpec rows =
        new ScanSpec(
                projection,
                predicates,
                snapshot,
                diffStart,
                lowerKey,
                upperKey,
                afterKey,
                ordered,
                ordered || wholeKey,
                limit,
                keys)
            .withCondition(condition)
            .withIndexHint(indexHint);
    return aggregation == null ? rows.withTop(top) : rows.withAggregation(aggregation);
  }

  /**
   * Whether the scan is likely to be so short that an event loop may begin it: it reads a few rows,
   * or counts all rows, whose numbers are known unless there are recent changes.
   */
  boolean isShort() {
    return pointRead
        || (aggregation != null
            && aggregation.onlyCountsRows()
            && predicates.isEmpty()
            && condition == null
            && keys == null);
  }

  /**
   * The maximum size of the first batch: {@code softLimit}, or less for a short scan, which returns
   * few rows.
   */
  long maxBytes(long softLimit) {
    if (!isShort()) {
      return softLimit;
    }
    long rowBytes = 0;
    for (ColumnSchema column : projection.columns()) {
      DataType type = column.type();
      rowBytes += type.isVariableLength() ? MAX_CELL_BYTES : type.width();
    }
    return Math.min(softLimit, rowBytes * (keys == null ? 1 : keys.size()));
  }

  static boolean isColumnar(long flags) {
    return (flags & RowFormatFlags.COLUMNAR_LAYOUT_VALUE) != 0;
  }

  static boolean isPadded(long flags) {
    return (flags & RowFormatFlags.PAD_UNIX_TIME_MICROS_TO_16_BYTES_VALUE) != 0;
  }

  private static boolean checkOrder(NewScanRequestPB request) {
    if (request.getReadMode() == ReadMode.UNKNOWN_READ_MODE) {
      throw new TabletServerError(
          TabletServerErrorPB.Code.INVALID_SCAN_SPEC,
          StatusCode.NOT_SUPPORTED,
          "Unknown read mode.");
    }
    if (request.getOrderMode() == OrderMode.UNKNOWN_ORDER_MODE) {
      throw invalidSpec("Unknown order mode specified");
    }
    boolean ordered = request.getOrderMode() == OrderMode.ORDERED;
    if (ordered && request.getReadMode() != ReadMode.READ_AT_SNAPSHOT) {
      throw invalidSpec("Cannot do an ordered scan that is not a snapshot read");
    }
    return ordered;
  }

  private static void checkDiff(NewScanRequestPB request, boolean ordered, Projection projection) {
    if (!ordered || !request.hasSnapTimestamp()) {
      throw invalidSpec(
          "A diff scan must be an ordered snapshot read with both a start and an end timestamp");
    }
    if (request.getSnapStartTimestamp() > request.getSnapTimestamp()) {
      throw new TabletServerError(
          TabletServerErrorPB.Code.INVALID_SNAPSHOT,
          StatusCode.INVALID_ARGUMENT,
          "Diff scan: start timestamp "
              + request.getSnapStartTimestamp()
              + " is above end timestamp "
              + request.getSnapTimestamp());
    }
    if (projection.isDeletedIndex() < 0) {
      throw SchemaException.mismatched(
          "A diff scan needs a virtual IS_DELETED column in its projection");
    }
  }

  private static List<ColumnPredicate> predicates(NewScanRequestPB request, Schema tablet) {
    return valid(() -> ColumnPredicates.merge(PredicateWire.fromWire(request, tablet)));
  }

  private static @Nullable Condition condition(NewScanRequestPB request, Schema tablet) {
    return request.hasCondition()
        ? valid(() -> ConditionWire.fromWire(request.getCondition(), tablet))
        : null;
  }

  private static @Nullable Aggregation aggregation(NewScanRequestPB request, Schema tablet) {
    if (!request.hasAggregation()) {
      return null;
    }
    checkCollected(request, "An aggregation");
    return valid(
        () -> {
          Aggregation aggregation = ExpressionWire.fromWire(request.getAggregation(), tablet);
          aggregation.resultColumns();
          return aggregation;
        });
  }

  private static @Nullable TopN top(NewScanRequestPB request, Schema projection, Schema tablet) {
    if (!request.hasTopN()) {
      return null;
    }
    checkCollected(request, "A scan of the first rows in an order");
    if (request.hasAggregation()) {
      throw invalidSpec("An aggregation cannot return the first rows in an order");
    }
    TopN top = valid(() -> TopNWire.fromWire(request.getTopN(), tablet));
    for (TopN.Order order : top.order()) {
      if (projection.indexOfName(order.column().name()) < 0) {
        throw invalidSpec(
            "Column "
                + order.column().name()
                + " of the order must be among the projected columns");
      }
    }
    return top;
  }

  /** Rejects a request whose rows are collected, for options of scans that return all rows. */
  private static void checkCollected(NewScanRequestPB request, String what) {
    if (request.getOrderMode() == OrderMode.ORDERED
        || request.hasSnapStartTimestamp()
        || request.hasLimit()) {
      throw invalidSpec(what + " cannot be ordered by key, be a diff scan, or have a limit");
    }
  }

  /** Reports an invalid part of a request with the protocol's error code. */
  private static <T> T valid(Supplier<T> part) {
    try {
      return part.get();
    } catch (TabletServerError e) {
      throw e;
    } catch (KuduException e) {
      throw new TabletServerError(
          TabletServerErrorPB.Code.INVALID_SCAN_SPEC, e.code(), String.valueOf(e.getMessage()));
    }
  }

  /** Whether equalities fix all key columns, so at most one row matches. */
  private static boolean fixWholeKey(List<ColumnPredicate> predicates, Schema tablet) {
    long fixed =
        predicates.stream()
            .filter(
                predicate ->
                    predicate instanceof ColumnPredicate.Equality equality
                        && equality.column().isKey())
            .count();
    return fixed == tablet.keyColumnCount();
  }

  private static byte @Nullable [] key(
      String which, boolean present, ByteString bytes, Schema tablet) {
    return present ? key(which, bytes, tablet) : null;
  }

  private static byte[] key(String which, ByteString bytes, Schema tablet) {
    byte[] key = bytes.toByteArray();
    try {
      KeyDecoder.decode(tablet, key);
    } catch (KuduException e) {
      throw invalidSpec("Invalid scan " + which + " key: " + e.getMessage());
    }
    return key;
  }

  private static @Nullable List<byte[]> keys(
      NewScanRequestPB request, boolean ordered, Schema tablet) {
    if (request.getPrimaryKeysCount() == 0) {
      return null;
    }
    if (ordered) {
      throw invalidSpec("A scan of given primary keys cannot be ordered");
    }
    List<byte[]> keys = new ArrayList<>(request.getPrimaryKeysCount());
    byte @Nullable [] before = null;
    for (ByteString bytes : request.getPrimaryKeysList()) {
      byte[] key = key("primary", bytes, tablet);
      if (before != null && Arrays.compareUnsigned(before, key) >= 0) {
        throw invalidSpec("The primary keys of a scan must be ascending and distinct");
      }
      keys.add(key);
      before = key;
    }
    return keys;
  }

  /**
   * The maximum rows. A limit of zero, or one that is negative as a signed number, requests no
   * rows.
   */
  private static long limit(NewScanRequestPB request) {
    return request.hasLimit() ? Math.max(0, request.getLimit()) : Long.MAX_VALUE;
  }

  static TabletServerError invalidSpec(String message) {
    return new TabletServerError(
        TabletServerErrorPB.Code.INVALID_SCAN_SPEC, StatusCode.INVALID_ARGUMENT, message);
  }
}
