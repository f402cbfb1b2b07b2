package dev.kudu4j.tablet.scan.index;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.file.BlockReads;
import dev.kudu4j.tablet.scan.predicate.ColumnTest;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import java.io.IOException;
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
   * @param columns by number
   * @param anyOrder whether the rows may be returned in any order
   */
  public record Query(
      PredicateNode predicate,
      int columnCount,
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

  /**
   * A lower bound of the rows that {@link #entries} finds, by statistics alone.
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
    // Entries are cheaper than rows, so more of them may be read if two tests have an index.
    int maxEntries = indexedCount(conjuncts) > 1 ? Math.max(max, rows >>> 3) : max;
    OrdinalSet best = null;
    for (PredicateNode conjunct : conjuncts) {
      boolean enough = best != null && best.count() <= max >>> 4; // few enough to test them all
      if (enough && !query.hint().explained()) {
        break;
      }
      Rows found =
          conjunct.alternatives().size() > 1
              ? union(conjunct, enough ? 0 : maxEntries)
              : rows(conjunct, conjuncts, enough ? 0 : maxEntries);
      if (found == null || enough) {
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
    long least = 0;
    for (PredicateNode part : node.alternatives()) {
      long fewest = Long.MAX_VALUE;
      for (PredicateNode conjunct : part.conjuncts()) {
        ColumnTest test = conjunct.asColumnTest();
        if (test != null && isIndexed(test)) {
          fewest = Math.min(fewest, minEntries(test, part.conjuncts()));
        }
      }
      least = fewest == Long.MAX_VALUE ? fewest : least + fewest;
      if (least > limit && (least == Long.MAX_VALUE || !query.hint().explained())) {
        return null; // a part has no index, or too many rows
      }
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
