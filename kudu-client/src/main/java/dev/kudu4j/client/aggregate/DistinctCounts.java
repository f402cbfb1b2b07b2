package dev.kudu4j.client.aggregate;

import dev.kudu4j.common.expression.Aggregation;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Counts distinct values exactly. The servers group by the columns of the result and by the counted
 * columns; this class merges their groups into the groups of the result. All values of a group are
 * in memory while they are counted.
 *
 * @param result the aggregation of the result
 * @param columns for each aggregate that counts distinct values, the grouping column that has them;
 *     the aggregate itself counts the rows of such a group that have a value
 */
record DistinctCounts(Aggregation result, Map<Integer, Integer> columns) {
  /**
   * @param found grouped by more columns than the result; not used afterwards
   */
  GroupTable count(GroupTable found) {
    GroupTable merged = new GroupTable(result);
    Map<Group, Set<ByteBuffer>[]> values = new IdentityHashMap<>();
    for (Group fine : found.groups()) {
      Group group = merged.groupOf(fine);
      Set<ByteBuffer>[] sets = values.computeIfAbsent(group, some -> noValues());
      for (int i = 0; i < result.aggregates().size(); i++) {
        Integer column = columns.get(i);
        if (column == null) {
          merged.merge(group, i, fine);
        } else if ((Long) fine.value(i) > 0) {
          sets[i].add(ByteBuffer.wrap(fine.cell(column)));
        }
      }
    }
    values.forEach(
        (group, sets) -> columns.keySet().forEach(i -> group.set(i, (long) sets[i].size())));
    return merged;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // an array of sets
  private Set<ByteBuffer>[] noValues() {
    Set<ByteBuffer>[] sets = new Set[result.aggregates().size()];
    columns.keySet().forEach(i -> sets[i] = new HashSet<>());
    return sets;
  }
}
