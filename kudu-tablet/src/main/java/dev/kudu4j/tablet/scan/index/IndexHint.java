package dev.kudu4j.tablet.scan.index;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which indexes a scan may use. The result of the scan is the same with any hint.
 *
 * @param forced whether an index is used wherever a filter has one, whatever it costs; else only if
 *     that is estimated to be cheaper
 * @param allowed the ids of the indexes that may be used; null for all
 * @param explained whether indexes are also estimated if others suffice
 */
public record IndexHint(boolean forced, @Nullable Set<Integer> allowed, boolean explained) {
  /** Any index that is estimated to be cheaper than a scan. */
  public static final IndexHint CHOSEN = new IndexHint(false, null, false);

  /** No index. */
  public static final IndexHint NONE = new IndexHint(false, Set.of(), false);

  /** Any index, whatever it costs. */
  public static final IndexHint FORCED = new IndexHint(true, null, false);

  public IndexHint {
    allowed = allowed == null ? null : Set.copyOf(allowed);
  }

  /** Whether no index may be used. */
  public boolean isNone() {
    return allowed != null && allowed.isEmpty();
  }

  /** Whether the index may be used. */
  public boolean allows(int indexId) {
    return allowed == null || allowed.contains(indexId);
  }

  /** A copy that allows only indexes that exist. */
  public IndexHint within(Set<Integer> existing) {
    if (allowed == null) {
      return new IndexHint(forced, existing, explained);
    }
    Set<Integer> both = new HashSet<>(allowed);
    both.retainAll(existing);
    return new IndexHint(forced, both, explained);
  }

  /** A copy that also estimates indexes that the scan does not need. */
  public IndexHint withExplanation() {
    return new IndexHint(forced, allowed, true);
  }
}
