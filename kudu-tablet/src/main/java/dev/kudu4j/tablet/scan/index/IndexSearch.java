package dev.kudu4j.tablet.scan.index;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.tablet.file.BlockReads;
import dev.kudu4j.tablet.scan.predicate.ColumnFilter;
import dev.kudu4j.tablet.scan.predicate.PredicateNode;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the rows of one store that may match a predicate in the indexes of the store.
 *
 * <pre>
 *   AND: the rows of one filter with an index, or those that two such filters have in common
 *   OR:  the rows of all filters, if each has an index
 *   then the rows with later or earlier changes of the filtered columns are added
 * </pre>
 *
 * <p>The rows are a superset of those that match at the snapshot; the scan tests them again. Not
 * thread-safe.
 */
public abstract class IndexSearch {
  /** The search of a scan in the indexes. */
  public record Query(
      PredicateNode predicate,
      IntFunction<ColumnSchema> columns,
      int blockRows,
      long snapshot,
      IndexUse use,
      BlockReads reads) {}

  private final Query query;
  private final int rows;
  private int max; // set by the search
  private final Set<Integer> used = new HashSet<>(); // ids of the columns whose filters chose rows

  /**
   * @param rows the number of rows of the store
   */
  IndexSearch(Query query, int rows) {
    this.query = query;
    this.rows = rows;
  }

  /** The number of rows beyond which a scan is cheaper. */
  abstract int maxRows();

  /** Whether an index of the store begins with the column. */
  abstract boolean isIndexed(int columnId);

  /**
   * The rows whose entries match the filter of an indexed column, and other filters as far as the
   * index contains their columns.
   *
   * @param conjuncts joined with the filter by AND
   * @return null if more than {@code limit} entries may match
   */
  abstract @Nullable OrdinalSet entries(
      ColumnFilter filter, List<PredicateNode> conjuncts, int limit) throws IOException;

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

  /** The ids of the columns whose filters chose rows so far. */
  final Set<Integer> used() {
    return used;
  }

  final boolean isForced() {
    return query.use() == IndexUse.FORCED;
  }

  final int columnId(ColumnFilter filter) {
    return query.columns().apply(filter.column()).id();
  }

  /** The rows that match the predicate; null if no index helps, or too many rows match. */
  final @Nullable OrdinalSet search() throws IOException {
    List<PredicateNode> conjuncts = query.predicate().conjuncts();
    int indexed = indexedCount(conjuncts);
    if (indexed == 0) {
      return null;
    }
    max = isForced() ? rows : maxRows();
    // Entries are cheaper than rows, so more of them may be read if two filters have an index.
    int limit = indexed > 1 ? Math.max(max, rows >>> 3) : max;
    OrdinalSet best = null;
    for (PredicateNode conjunct : conjuncts) {
      if (best != null && best.count() <= max >>> 4) {
        break; // few enough to test them all
      }
      OrdinalSet found =
          conjunct.alternatives().size() > 1
              ? union(conjunct, limit)
              : indexed(conjunct, conjuncts, limit);
      if (found == null) {
        continue;
      }
      found.sort(rows);
      if (best == null) {
        best = found;
      } else {
        best.retainAll(found);
      }
    }
    return best == null || best.count() > max ? null : best;
  }

  /** The number of nodes that indexes may evaluate. */
  private int indexedCount(List<PredicateNode> conjuncts) {
    int indexed = 0;
    for (PredicateNode node : conjuncts) {
      boolean or = node.alternatives().size() > 1;
      indexed += or || isIndexed(node.asColumnFilter()) ? 1 : 0;
    }
    return indexed;
  }

  private boolean isIndexed(@Nullable ColumnFilter filter) {
    return filter != null && isIndexed(columnId(filter));
  }

  private @Nullable OrdinalSet union(PredicateNode node, int limit) throws IOException {
    OrdinalSet all = new OrdinalSet();
    for (PredicateNode part : node.alternatives()) {
      OrdinalSet found = null;
      List<PredicateNode> conjuncts = part.conjuncts();
      for (int i = 0; i < conjuncts.size() && found == null; i++) {
        found = indexed(conjuncts.get(i), conjuncts, limit);
      }
      if (found == null || all.count() + found.count() > limit) {
        return null;
      }
      all.addAll(found);
    }
    return all;
  }

  private @Nullable OrdinalSet indexed(PredicateNode node, List<PredicateNode> conjuncts, int limit)
      throws IOException {
    ColumnFilter filter = node.asColumnFilter();
    if (filter == null || !isIndexed(filter)) {
      return null;
    }
    used.add(columnId(filter));
    return entries(filter, conjuncts, limit);
  }
}
