package dev.kudu4j.tablet.unique;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.index.Uniqueness;
import dev.kudu4j.tablet.index.IndexProgress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the searches for equal rows have found since the tablet was opened. Thread-safe.
 *
 * <p>Results are not stored: a replica that is opened again searches again, as long as the state of
 * the index asks for it.
 */
public final class UniqueChecks {
  private final Map<Key, String> results = new ConcurrentHashMap<>();
  private final Map<Key, Integer> passesMade = new ConcurrentHashMap<>();

  private record Key(int indexId, Uniqueness at) {}

  private static Key key(IndexDefinition index) {
    return new Key(index.id(), index.uniqueness());
  }

  /** Whether the state of the index asks for a search that was not made yet. */
  public boolean isPending(IndexDefinition index) {
    return index.uniqueness().isChecking() && !results.containsKey(key(index));
  }

  /** The number of the next pass of a search. */
  public int nextPass(IndexDefinition index) {
    return passesMade.getOrDefault(key(index), 0);
  }

  /**
   * Notes the result of a pass.
   *
   * @param passes of the whole search
   * @param duplicates what was found; empty for nothing
   */
  public void made(IndexDefinition index, int pass, int passes, String duplicates) {
    if (!duplicates.isEmpty() || pass + 1 >= passes) {
      results.put(key(index), duplicates);
    } else {
      passesMade.put(key(index), pass + 1);
    }
  }

  /** The progress with the results for the states that the indexes have now. */
  public List<IndexProgress> addTo(List<IndexProgress> progress, List<IndexDefinition> indexes) {
    return progress.stream().map(one -> addTo(one, indexes)).toList();
  }

  private IndexProgress addTo(IndexProgress progress, List<IndexDefinition> indexes) {
    for (IndexDefinition index : indexes) {
      String duplicates = index.id() == progress.indexId() ? results.get(key(index)) : null;
      if (duplicates != null) {
        return progress.withCheck(index.uniqueness(), duplicates);
      }
    }
    return progress;
  }
}
