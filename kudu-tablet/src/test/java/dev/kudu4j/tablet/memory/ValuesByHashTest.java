package dev.kudu4j.tablet.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.arrow.memory.BufferAllocator;

/** The table has the values of a map of lists. */
class ValuesByHashTest {
  /** Few different hashes, whose upper bits, which select the slot, are often equal. */
  private static long hash(int number) {
    return ((long) (number % 5) << 32) | number;
  }

  @Property(tries = 200)
  void aHashFindsAllItsValues(
      @ForAll @Size(max = 500) List<@IntRange(min = 0, max = 40) Integer> hashes) {
    try (BufferAllocator allocator = Allocators.root(1 << 20);
        ValuesByHash values = new ValuesByHash(allocator)) {
      Map<Long, List<Long>> model = new HashMap<>();
      for (int i = 0; i < hashes.size(); i++) {
        long hash = hash(hashes.get(i));
        List<Long> known = model.computeIfAbsent(hash, h -> new ArrayList<>());
        if (i % 7 == 6 && !known.isEmpty()) {
          int slot = values.first(hash);
          known.set(known.indexOf(values.value(slot)), (long) i);
          values.replace(slot, i);
        } else if (i % 7 == 3 && !known.isEmpty()) {
          int slot = values.first(hash);
          known.remove(values.value(slot));
          values.remove(slot);
        } else {
          values.add(hash, i);
          known.add((long) i);
        }
      }
      for (int number = 0; number <= 41; number++) {
        assertThat(found(values, hash(number)))
            .containsExactlyInAnyOrderElementsOf(model.getOrDefault(hash(number), List.of()));
      }
    }
  }

  private static List<Long> found(ValuesByHash values, long hash) {
    List<Long> found = new ArrayList<>();
    for (int slot = values.first(hash); slot != ValuesByHash.NONE; slot = values.next(hash, slot)) {
      found.add(values.value(slot));
    }
    return found;
  }
}
