package dev.kudu4j.tablet.scan.index;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.file.BlockReads;
import dev.kudu4j.tablet.scan.predicate.ColumnTest;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of one store that may match a predicate in the indexes of the store.
 *
 * <pre>
 *   AND: the rows of one test with an index, or those that two such tests have in common
 *   OR:  the rows of all tests, if each has an index
 *   then the rows with later or earlier changes of the tested columns are added
 * </pre>
 *
 * <p>The rows are a superset of those that match at the snapshot; the scan tests them again. Not
 * thread-safe.
 */
public abstract class IndexSearch {
  /**
   * The search of a scan in the indexes.
   *
   * @param columnCount the number of columns that the scan reads
   * @param projected the numbers of the columns that are returned or aggregated
   * @param columns by number
   * @param anyOrder whether the rows may be returned in any order
   */
  public record Query(
      PredicateNode predicate,
      int columnCount,
      BitSet projected,
      IntFunction<ColumnSchema> columns,
      int blockRows,
      long snapshot,
      boolean anyOrder,
      IndexHint hint,
      BlockReads reads,
      IndexChoices choices) {
    int columnId(ColumnTest test) {
      return columns.apply(test.column()).id();
    }
  }

  /**
   * The entries that match a test.
   *
   * @param indexId the index
   * @param rows null if they are too many
   * @param count the number of matching entries, estimated if they are too many
   * @param tested the ids of the columns whose tests chose the rows
   */
  record Found(int indexId, @Nullable OrdinalSet rows, long count, Set<Integer> tested) {}

  /**
   * A node that indexes can evaluate.
   *
   * @param entries the least number of entries to read
   */
  private record Part(PredicateNode node, long entries) {}

  /** The rows that one or several indexes have found. */
  private static final class Rows {
    private final OrdinalSet ordinals = new OrdinalSet();
    private final Set<Integer> tested = new HashSet<>();
    private final Set<Integer> used = new HashSet<>();

    void add(OrdinalSet more, Found found) {
      ordinals.addAll(more);
      tested.addAll(found.tested());
      used.add(found.indexId());
    }
  }

  /** The rows of an index that match, and the time to read them. */
  private record Estimate(long rows, double nanos) {
    Estimate plus(Estimate other) {
      return new Estimate(rows + other.rows, nanos + other.nanos);
    }
  }

  /** Reading the ordinal of an entry, and sorting it. */
  private static final double ENTRY_NANOS = 10;

  private final Query query;
  private final int rows;
  private final Set<Integer> tested = new HashSet<>(); // ids of the columns that chose rows
  private final Set<Integer> used = new HashSet<>(); // ids of the indexes that chose rows
  private final Map<Integer, Estimate> estimates = new HashMap<>(); // by index
  private int max; // set by the search

  /**
   * @param rows the number of rows of the store
   */
  IndexSearch(Query query, int rows) {
    this.query = query;
    this.rows = rows;
  }

  /** Whether an index of the store that may be used begins with the column. */
  abstract boolean isIndexed(int columnId);

  /**
   * The rows whose entries match the test of an indexed column, and other tests as far as the index
   * contains their columns.
   *
   * @param conjuncts joined with the test by AND
   * @param limit more rows are not returned
   */
  abstract Found entries(ColumnTest test, List<PredicateNode> conjuncts, int limit)
      throws IOException;

  /** An upper bound of the time of the scan. */
  abstract double scanNanos();

  /**
   * About the least number of entries that {@link #entries} reads, by statistics alone.
   *
   * @param conjuncts joined with the test by AND
   */
  abstract long minEntries(ColumnTest test, List<PredicateNode> conjuncts) throws IOException;

  /** The time to read rows that were found. */
  abstract double rowNanos(long count);

  final Query query() {
    return query;
  }

  final int rows() {
    return rows;
  }

  /** The maximum number of rows to find; known once {@link #search} was called. */
  final int max() {
    return max;
  }

  /** The ids of the columns whose tests chose rows so far. */
  final Set<Integer> tested() {
    return tested;
  }

  /** The ids of the indexes that chose rows. */
  final Set<Integer> used() {
    return used;
  }

  final boolean isForced() {
    return query.hint().forced();
  }

  /**
   * The rows that match the predicate; null if no index helps, or too many rows match.
   *
   * @param limit the maximum number of rows
   */
  final @Nullable OrdinalSet search(int limit) throws IOException {
    List<PredicateNode> conjuncts = query.predicate().conjuncts();
    max = limit;
    List<Part> parts = parts(conjuncts);
    if (!isForced() && !query.hint().explained() && expected(parts) > 2.0 * max) {
      return null; // the entries would be read for nothing
    }
    int maxEntries = parts.size() > 1 ? Math.max(max, maxEntries()) : max;
    OrdinalSet best = null;
    for (Part part : parts) {
      boolean worth =
          best == null || part.entries() * ENTRY_NANOS < rowNanos(Math.max(1, best.count()));
      if (!worth && !query.hint().explained()) {
        continue; // testing the rows that were found is cheaper
      }
      Rows found =
          part.node().alternatives().size() > 1
              ? union(part.node(), worth ? maxEntries : 0)
              : rows(part.node(), conjuncts, worth ? maxEntries : 0);
      if (found == null || !worth) {
        continue;
      }
      found.ordinals.sort(rows);
      tested.addAll(found.tested);
      used.addAll(found.used);
      if (best == null) {
        best = found.ordinals;
      } else {
        best.retainAll(found.ordinals);
      }
    }
    return best == null || best.count() > max ? null : best;
  }

  /** About the number of rows that all parts have in common, if they are independent. */
  private double expected(List<Part> parts) {
    double expected = rows;
    for (Part part : parts) {
      expected *= Math.min(1.0, (double) part.entries() / rows);
    }
    return expected;
  }

  /**
   * The number of entries that may be read if those of two tests are intersected: entries are
   * cheaper than rows, but must not cost much in comparison with the scan.
   */
  private int maxEntries() {
    return isForced() ? rows : (int) Math.min(rows, scanNanos() / 4 / ENTRY_NANOS);
  }

  /** The conjuncts that indexes can evaluate, those with the fewest entries first. */
  private List<Part> parts(List<PredicateNode> conjuncts) throws IOException {
    List<Part> parts = new ArrayList<>();
    for (PredicateNode node : conjuncts) {
      long entries =
          node.alternatives().size() > 1 ? minEntriesOfAll(node) : minEntries(node, conjuncts);
      if (entries < Long.MAX_VALUE) {
        parts.add(new Part(node, entries));
      }
    }
    parts.sort(Comparator.comparingLong(Part::entries));
    return parts;
  }

  /** The least number of entries of an OR; MAX_VALUE if a part of it has no index. */
  private long minEntriesOfAll(PredicateNode or) throws IOException {
    long sum = 0;
    for (PredicateNode part : or.alternatives()) {
      long fewest = Long.MAX_VALUE;
      for (PredicateNode conjunct : part.conjuncts()) {
        fewest = Math.min(fewest, minEntries(conjunct, part.conjuncts()));
      }
      if (fewest == Long.MAX_VALUE) {
        return fewest;
      }
      sum += fewest;
    }
    return sum;
  }

  private long minEntries(PredicateNode node, List<PredicateNode> conjuncts) throws IOException {
    ColumnTest test = node.asColumnTest();
    return test != null && isIndexed(test) ? minEntries(test, conjuncts) : Long.MAX_VALUE;
  }

  /** The number of nodes that indexes may evaluate. */
  final int indexedCount(List<PredicateNode> conjuncts) {
    int indexed = 0;
    for (PredicateNode node : conjuncts) {
      boolean or = node.alternatives().size() > 1;
      indexed += or || isIndexed(node.asColumnTest()) ? 1 : 0;
    }
    return indexed;
  }

  private boolean isIndexed(@Nullable ColumnTest test) {
    return test != null && isIndexed(query.columnId(test));
  }

  private @Nullable Rows union(PredicateNode node, int limit) throws IOException {
    if (!isForced() && minEntriesOfAll(node) > limit && !query.hint().explained()) {
      return null;
    }
    Rows all = new Rows();
    boolean kept = true;
    for (PredicateNode part : node.alternatives()) {
      List<PredicateNode> conjuncts = part.conjuncts();
      boolean added = false;
      for (int i = 0; i < conjuncts.size() && !added; i++) {
        added = add(conjuncts.get(i), conjuncts, kept ? limit : 0, all);
      }
      kept = kept && added && all.ordinals.count() <= limit;
      if (!kept && !query.hint().explained()) {
        return null;
      }
    }
    return kept ? all : null;
  }

  /** An index needs this time to read the matching rows in another way. */
  final void estimate(int indexId, long count, double nanos) {
    Estimate listed = estimates.get(indexId);
    double least = listed == null ? nanos : Math.min(listed.nanos, nanos);
    estimates.put(indexId, new Estimate(count, least));
  }

  /** Reports the estimates of the store. */
  final void addEstimates() {
    estimates.forEach((index, of) -> query.choices().add(index, of.rows(), of.nanos()));
  }

  private @Nullable Rows rows(PredicateNode node, List<PredicateNode> conjuncts, int limit)
      throws IOException {
    Rows found = new Rows();
    return add(node, conjuncts, limit, found) ? found : null;
  }

  /** Adds the rows that an index finds; false if there is no index, or if they are too many. */
  private boolean add(PredicateNode node, List<PredicateNode> conjuncts, int limit, Rows out)
      throws IOException {
    ColumnTest test = node.asColumnTest();
    if (test == null || !isIndexed(test)) {
      return false;
    }
    Found found = entries(test, conjuncts, limit);
    Estimate estimate = new Estimate(found.count(), rowNanos(found.count()));
    estimates.merge(found.indexId(), estimate, Estimate::plus);
    OrdinalSet rowsFound = found.rows();
    if (rowsFound != null) {
      out.add(rowsFound, found);
    }
    return rowsFound != null;
  }
}
