package dev.kudu4j.tablet.unique;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.tablet.memory.Allocators;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.arrow.memory.BufferAllocator;

/** The table has the rows of a map of lists. */
class RowsByHashTest {
  /** Few different hashes, whose upper bits, which select the slot, are often equal. */
  private static long hash(int number) {
    return ((long) (number % 5) << 32) | number;
  }

  @Property(tries = 200)
  void aHashFindsAllItsRows(
      @ForAll @Size(max = 500) List<@IntRange(min = 0, max = 40) Integer> hashes) {
    try (BufferAllocator allocator = Allocators.root(1 << 20);
        RowsByHash rows = new RowsByHash(allocator)) {
      Map<Long, List<Long>> model = new HashMap<>();
      for (int i = 0; i < hashes.size(); i++) {
        long hash = hash(hashes.get(i));
        List<Long> known = model.computeIfAbsent(hash, h -> new ArrayList<>());
        if (i % 7 == 6 && !known.isEmpty()) {
          int slot = rows.first(hash);
          known.set(known.indexOf(rows.row(slot)), (long) i);
          rows.replace(slot, i);
        } else {
          rows.add(hash, i);
          known.add((long) i);
        }
      }
      for (int number = 0; number <= 41; number++) {
        assertThat(found(rows, hash(number)))
            .containsExactlyInAnyOrderElementsOf(model.getOrDefault(hash(number), List.of()));
      }
    }
  }

  private static List<Long> found(RowsByHash rows, long hash) {
    List<Long> found = new ArrayList<>();
    for (int slot = rows.first(hash); slot != RowsByHash.NONE; slot = rows.next(hash, slot)) {
      found.add(rows.row(slot));
    }
    return found;
  }
}
