package dev.kudu4j.tablet.delta;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.memory.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;

/** Jumps shorten the walk along a chain, and do not skip relevant changes. */
class MutationTest {
  private static final byte[] CELL = new byte[4];

  private final RowChangeBuilder change = new RowChangeBuilder();

  /** A chain of random changes; returns their addresses, newest first. */
  private List<Long> chain(Arena arena, int length, Random random) {
    List<Long> chain = new ArrayList<>();
    long newest = 0;
    long timestamp = 10;
    for (int i = 0; i < length; i++) {
      timestamp += random.nextInt(3);
      boolean delete = random.nextInt(40) == 0;
      change.begin(delete ? RowChange.DELETE : RowChange.UPDATE);
      for (int cell = delete ? 0 : random.nextInt(3); cell > 0; cell--) {
        change.addCell(random.nextInt(100), CELL, 0, 4);
      }
      newest = Mutation.write(arena, newest, timestamp, i, change.array(), 0, change.length());
      chain.add(0, newest);
    }
    return chain;
  }

  @Property(tries = 100)
  void jumpsGoBackAndHaveTheColumnsOfSkippedChanges(
      @ForAll @IntRange(min = 1, max = 400) int length, @ForAll long seed) {
    try (BufferAllocator root = Allocators.root(1 << 24);
        Arena arena = new Arena(root, 1 << 16)) {
      List<Long> chain = chain(arena, length, new Random(seed));
      for (int i = 0; i < length; i++) {
        long mutation = chain.get(i);
        assertThat(Mutation.next(mutation)).isEqualTo(i + 1 < length ? chain.get(i + 1) : 0);
        int to = chain.indexOf(Mutation.jump(mutation));
        assertThat(to).isGreaterThanOrEqualTo(Math.min(i + 1, length - 1));
        long columns = 0;
        for (int j = i; j < to; j++) {
          columns |= RowChange.columnMask(Mutation.changeAddress(chain.get(j)));
        }
        assertThat(Mutation.columnsToJump(mutation)).isEqualTo(columns);
      }
      for (long timestamp = 9; timestamp < 12 + 2L * length; timestamp++) {
        long below = timestamp;
        long expected =
            chain.stream().filter(m -> Mutation.timestamp(m) < below).findFirst().orElse(0L);
        assertThat(Mutation.newestBelow(chain.get(0), timestamp)).isEqualTo(expected);
      }
    }
  }

  @Test
  void theOldestOfManyChangesIsReachedInFewSteps() {
    try (BufferAllocator root = Allocators.root(1 << 24);
        Arena arena = new Arena(root, 1 << 20)) {
      change.begin(RowChange.UPDATE);
      change.addCell(1, CELL, 0, 4);
      long newest = 0;
      for (int i = 0; i < 100_000; i++) {
        newest = Mutation.write(arena, newest, i, 0, change.array(), 0, change.length());
      }
      int steps = 0;
      long at = newest;
      while (Mutation.next(at) != 0) {
        assertThat(Mutation.columnsToJump(at) & RowChange.columnBit(2)).isZero();
        at = Mutation.jump(at);
        steps++;
      }
      assertThat(Mutation.timestamp(at)).isZero();
      assertThat(steps).isLessThan(40);
    }
  }
}
