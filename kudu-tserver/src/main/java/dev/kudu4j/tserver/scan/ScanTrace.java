package dev.kudu4j.tserver.scan;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.expression.Aggregate;
import dev.kudu4j.common.expression.Aggregation;
import dev.kudu4j.common.expression.Condition;
import dev.kudu4j.common.expression.TopN;
import dev.kudu4j.common.predicate.ColumnPredicate;
import dev.kudu4j.common.predicate.ColumnPredicate.InBloomFilter;
import dev.kudu4j.common.predicate.ColumnPredicate.InList;
import dev.kudu4j.common.rpc.Caller;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tserver.tablets.ScanCounts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes one scan while it runs and afterwards: the caller, the query, the tablet, and the
 * resources used. Each call of the scan updates it, together with the counters of the tablet.
 *
 * <p>Written by one call at a time; read by any thread.
 */
final class ScanTrace {
  /** The state of a scan. */
  enum State {
    ACTIVE,
    COMPLETE,
    CLOSED,
    EXPIRED,
    FAILED
  }

  /**
   * The query of a scan; cells in predicates are not redacted.
   *
   * @param keys the number of rows that it specifies by key; 0 for a scan without given keys
   */
  record Query(
      String kind,
      String tableName,
      Schema projection,
      List<ColumnPredicate> predicates,
      @Nullable Condition condition,
      @Nullable Aggregation aggregation,
      @Nullable TopN top,
      byte @Nullable [] lowerKey,
      byte @Nullable [] upperKey,
      int keys,
      boolean ordered,
      long limit,
      long snapshot) {
    static Query of(String kind, String tableName, ScanPlan plan, long snapshot) {
      return new Query(
          kind,
          tableName,
          plan.projection(),
          plan.predicates(),
          plan.condition(),
          plan.aggregation(),
          plan.top(),
          plan.lowerKey(),
          plan.upperKey(),
          plan.keys() == null ? 0 : plan.keys().size(),
          plan.ordered(),
          plan.limit(),
          snapshot);
    }
  }

  private static final int MAX_QUERY_ID_BYTES = 256;

  /**
   * The maximum number of values of an IN list that are kept after the end of a scan, because lists
   * and Bloom filters may take megabytes.
   */
  private static final int MAX_VALUES_KEPT = 1_000;

  private final String id;
  private final String tabletId;
  private final Caller caller;
  private final ScanCounts tablet;
  private final String queryId;
  private final long startedNanos;
  private volatile Query query;
  private volatile State state = State.ACTIVE;
  private volatile long endedNanos;
  private volatile long busyNanos;
  private volatile long rows;
  private volatile long bytes;
  private volatile int calls;
  private long scannedBefore;
  private long readBefore;

  /**
   * @param queryId the client's id of the query to which the scan belongs; may be empty
   */
  ScanTrace(
      String id,
      String tabletId,
      Caller caller,
      ScanCounts tablet,
      Query query,
      String queryId,
      long startedNanos) {
    this.id = id;
    this.tabletId = tabletId;
    this.caller = caller;
    this.tablet = tablet;
    this.query = query;
    this.queryId = queryId;
    this.startedNanos = startedNanos;
  }

  /** A query's id for display; a long one is truncated. */
  static String queryId(ByteString id) {
    return id.substring(0, Math.min(id.size(), MAX_QUERY_ID_BYTES)).toStringUtf8();
  }

  /** Records that the scan was opened. The caller must also record its end. */
  void begin() {
    tablet.started();
  }

  /** Takes {@link #begin} back: the scan is opened once more. */
  void abandon() {
    tablet.abandoned();
  }

  /** Records one call of the scan. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one call at a time
  void recordCall(long nanos, int rowsReturned, long bytesReturned) {
    calls++;
    busyNanos += nanos;
    rows += rowsReturned;
    bytes += bytesReturned;
    tablet.recordCall(nanos);
    tablet.returned(
        rowsReturned, (long) rowsReturned * query.projection.columnCount(), bytesReturned);
  }

  /**
   * Adds the progress of the scan since the last call to the counters of the tablet.
   *
   * @param rowsScanned the total number of rows scanned
   * @param bytesRead the total number of bytes read
   */
  void scanned(long rowsScanned, long bytesRead) {
    tablet.scanned(rowsScanned - scannedBefore, bytesRead - readBefore);
    scannedBefore = rowsScanned;
    readBefore = bytesRead;
  }

  /** Records the end of the scan; true for the first call only. */
  synchronized boolean end(State how, long nowNanos) {
    if (state != State.ACTIVE) {
      return false;
    }
    endedNanos = nowNanos;
    state = how;
    tablet.ended();
    if (query.condition != null || query.aggregation != null || hasHeavy(query.predicates)) {
      query = withoutHeavy(query);
    }
    return true;
  }

  private static boolean hasHeavy(List<ColumnPredicate> predicates) {
    for (ColumnPredicate predicate : predicates) {
      if (lightened(predicate) != predicate) {
        return true;
      }
    }
    return false;
  }

  private static Query withoutHeavy(Query query) {
    return new Query(
        query.kind,
        query.tableName,
        query.projection,
        query.predicates.stream().map(ScanTrace::lightened).toList(),
        query.condition == null ? null : lightened(query.condition),
        query.aggregation == null ? null : lightened(query.aggregation),
        query.top,
        query.lowerKey,
        query.upperKey,
        query.keys,
        query.ordered,
        query.limit,
        query.snapshot);
  }

  private static Aggregation lightened(Aggregation aggregation) {
    List<Aggregate> aggregates =
        aggregation.aggregates().stream()
            .map(
                aggregate ->
                    aggregate.filter() == null
                        ? aggregate
                        : aggregate.filteredBy(lightened(aggregate.filter())))
            .toList();
    return new Aggregation(aggregation.groupBy(), aggregates);
  }

  private static Condition lightened(Condition condition) {
    if (condition instanceof Condition.And and) {
      return new Condition.And(and.parts().stream().map(ScanTrace::lightened).toList());
    } else if (condition instanceof Condition.Or or) {
      return new Condition.Or(or.parts().stream().map(ScanTrace::lightened).toList());
    } else if (condition instanceof Condition.Not not) {
      return new Condition.Not(lightened(not.part()));
    }
    return condition instanceof Condition.Match match
        ? new Condition.Match(lightened(match.predicate()))
        : condition;
  }

  /** A copy without the values that take much memory. */
  private static ColumnPredicate lightened(ColumnPredicate predicate) {
    if (predicate instanceof InList list && list.values().size() > MAX_VALUES_KEPT) {
      return new InList(list.column(), List.copyOf(list.values().subList(0, MAX_VALUES_KEPT)));
    }
    return predicate instanceof InBloomFilter
        ? new InBloomFilter(predicate.column(), List.of(), null, null)
        : predicate;
  }

  String id() {
    return id;
  }

  String tabletId() {
    return tabletId;
  }

  Caller caller() {
    return caller;
  }

  Query query() {
    return query;
  }

  String queryId() {
    return queryId;
  }

  State state() {
    return state;
  }

  /** The time from the opening to the end, or to now. */
  long nanos(long nowNanos) {
    return (state == State.ACTIVE ? nowNanos : endedNanos) - startedNanos;
  }

  long startedNanos() {
    return startedNanos;
  }

  /**
   * The time spent in calls. For the remaining time since its opening, the scan waited for its
   * client.
   */
  long busyNanos() {
    return busyNanos;
  }

  long rows() {
    return rows;
  }

  long bytes() {
    return bytes;
  }

  int calls() {
    return calls;
  }
}
