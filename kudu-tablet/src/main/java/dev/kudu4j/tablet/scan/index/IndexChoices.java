package dev.kudu4j.tablet.scan.index;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/**
 * What indexes would have cost, and which were used, over the stores of a tablet. Times are
 * estimates: nanoseconds on one core. Not thread-safe.
 */
public final class IndexChoices {
  /** One index. */
  public static final class Choice {
    private int stores;
    private int used;
    private long rows;
    private double nanos;

    /** The stores in which the index could have been used. */
    public int stores() {
      return stores;
    }

    /** The stores in which it was used. */
    public int used() {
      return used;
    }

    /** The estimated number of rows that match the filters on its columns. */
    public long rows() {
      return rows;
    }

    /** The estimated time to read these rows. */
    public long nanos() {
      return (long) nanos;
    }
  }

  private final Map<Integer, Choice> byIndex = new TreeMap<>();
  private double scanNanos;

  /** A scan of a store would take this time. */
  void addScan(double nanos) {
    scanNanos += nanos;
  }

  /** An index of a store has an estimated number of rows, and needs this time to read them. */
  void add(int indexId, long rows, double nanos) {
    Choice choice = byIndex.computeIfAbsent(indexId, id -> new Choice());
    choice.stores++;
    choice.rows += rows;
    choice.nanos += nanos;
  }

  /** The indexes were used in a store. */
  void use(Collection<Integer> indexIds) {
    indexIds.forEach(id -> byIndex.computeIfAbsent(id, unknown -> new Choice()).used++);
  }

  /** By id of the index, the indexes that begin with a filtered column. */
  public Map<Integer, Choice> byIndex() {
    return Map.copyOf(byIndex);
  }

  /** The estimated time of a scan without indexes, of the stores that have one. */
  public long scanNanos() {
    return (long) scanNanos;
  }
}
