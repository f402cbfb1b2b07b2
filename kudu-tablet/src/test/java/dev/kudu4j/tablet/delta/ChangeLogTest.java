package dev.kudu4j.tablet.delta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.memory.Arena;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.arrow.memory.BufferAllocator;

class ChangeLogTest {
  /** Changes that were carried over come first, in any order; all others are in order. */
  @Property
  void findsAllChangesOfATime(
      @ForAll @Size(max = 150) List<@IntRange(max = 20) Integer> carriedOver,
      @ForAll @Size(max = 150) List<@IntRange(max = 3) Integer> steps,
      @ForAll @IntRange(max = 60) int from,
      @ForAll @IntRange(max = 60) int to) {
    List<Integer> timestamps = new ArrayList<>(carriedOver);
    int last = carriedOver.stream().mapToInt(Integer::intValue).max().orElse(0);
    for (int step : steps) {
      last += step;
      timestamps.add(last);
    }
    try (BufferAllocator allocator = Allocators.root(1 << 20);
        Arena arena = new Arena(allocator, 64 << 10)) {
      ChangeLog log = new ChangeLog(arena, 4);
      List<Long> expected = new ArrayList<>();
      for (int i = 0; i < timestamps.size(); i++) {
        int timestamp = timestamps.get(i);
        log.add(i, Mutation.write(arena, 0, timestamp, 0, new byte[1], 0, 1));
        if (timestamp >= from && timestamp <= to) {
          expected.add((long) i);
        }
      }

      List<Long> found = new ArrayList<>();
      ChangeLog.Cursor cursor = log.cursor(from);
      while (cursor.next(to)) {
        found.add(cursor.row());
        assertThat(cursor.timestamp()).isEqualTo(timestamps.get((int) cursor.row()).longValue());
      }

      assertThat(found).isEqualTo(expected);
    }
  }
}
