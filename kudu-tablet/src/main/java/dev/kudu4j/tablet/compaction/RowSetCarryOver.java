package dev.kudu4j.tablet.compaction;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.apply.AppliedState;
import dev.kudu4j.tablet.apply.MissedDeltas;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.delta.DeltaMemStore;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.delta.RowChange;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries in-memory changes of the input rowsets over to the output rowsets, which have no readers
 * yet.
 *
 * <pre>
 *   first round      the changes that the input DeltaMemStores contain when the round starts;
 *                    later changes are collected
 *   further rounds   the collected changes, until few remain
 *   last             the remaining changes; the writer is blocked
 * </pre>
 *
 * <p>The changes of a row stay in order, because the changes of one round are older than the
 * changes of the next round. Only one of several input rows with the same key can still change, so
 * an output row receives changes from one input only.
 */
final class RowSetCarryOver {
  /**
   * If more changes than this are collected, another round moves them before the writer is blocked.
   */
  private static final int FEW_CHANGES = 256;

  private static final int MAX_ROUNDS = 16;

  private final AppliedState state;
  private final List<DiskRowSet> inputs;
  private final List<OrdinalMap> maps;
  private final List<DiskRowSet> outputs;
  private final long[] firstNumbers; // the number of each output's first row
  private @Nullable MissedDeltas changes; // null before the first round
  private int moved;
  private int rounds;
  private long[] chain = new long[16];
  private byte[] change = new byte[128];

  RowSetCarryOver(
      AppliedState state,
      List<DiskRowSet> inputs,
      List<OrdinalMap> maps,
      List<DiskRowSet> outputs) {
    this.state = state;
    this.inputs = inputs;
    this.maps = maps;
    this.outputs = outputs;
    this.firstNumbers = new long[outputs.size()];
    for (int i = 1; i < firstNumbers.length; i++) {
      firstNumbers[i] = firstNumbers[i - 1] + outputs.get(i - 1).base().rowCount();
    }
  }

  /** Runs one round without blocking the writer; returns true if another round is worthwhile. */
  boolean round() {
    if (changes == null) {
      moveStores(beginToCollect());
      return true;
    }
    MissedDeltas now;
    state.writerLock().lock();
    try {
      if (changes.count() - moved <= FEW_CHANGES || rounds++ == MAX_ROUNDS) {
        return false;
      }
      now = changes.snapshot();
    } finally {
      state.writerLock().unlock();
    }
    moveCollected(now);
    return true;
  }

  /** Moves the remaining changes; requires the writer lock. */
  void finish() {
    moveCollected(Objects.requireNonNull(changes, "a round begins to collect"));
  }

  /** Stops collecting changes. */
  void stop() {
    if (changes != null) {
      state.writerLock().lock();
      try {
        state.collectRowSetChanges(null);
      } finally {
        state.writerLock().unlock();
      }
    }
  }

  /** Starts collecting changes; returns the highest timestamp of changes that are not collected. */
  private long beginToCollect() {
    state.writerLock().lock();
    try {
      changes = new MissedDeltas(inputs);
      state.collectRowSetChanges(changes);
      return state.maxTimestamp();
    } finally {
      state.writerLock().unlock();
    }
  }

  private void moveStores(long boundary) {
    for (int i = 0; i < inputs.size(); i++) {
      DeltaMemStore.Cursor cursor = inputs.get(i).activeDeltas().cursor();
      while (cursor.next()) {
        moveChain(i, cursor.ordinal(), Mutation.newestBelow(cursor.newest(), boundary + 1));
      }
    }
  }

  /**
   * Adds a row's chain of mutations to the output's DeltaMemStore in the required order, oldest
   * first.
   */
  private void moveChain(int input, long ordinal, long newest) {
    int count = 0;
    for (long mutation = newest; mutation != 0; mutation = Mutation.next(mutation)) {
      if (count == chain.length) {
        chain = Arrays.copyOf(chain, 2 * count);
      }
      chain[count++] = mutation;
    }
    while (count > 0) {
      move(input, ordinal, chain[--count]);
    }
  }

  private void moveCollected(MissedDeltas collected) {
    for (; moved < collected.count(); moved++) {
      move(collected.number(moved), collected.ordinal(moved), collected.mutation(moved));
    }
  }

  private void move(int input, long ordinal, long mutation) {
    int number = maps.get(input).get(ordinal);
    if (number == OrdinalMap.NONE) {
      throw new IllegalStateException(
          "Row %d of %s was changed after its deletion".formatted(ordinal, inputs.get(input)));
    }
    int found = Arrays.binarySearch(firstNumbers, number);
    int output = found >= 0 ? found : -found - 2;
    append(outputs.get(output), number - firstNumbers[output], mutation);
  }

  private void append(DiskRowSet output, long ordinal, long mutation) {
    int length = Mutation.changeLength(mutation);
    if (length > change.length) {
      change = new byte[2 * length];
    }
    Memory.copy(Mutation.changeAddress(mutation), change, 0, length);
    output
        .activeDeltas()
        .add(ordinal, Mutation.timestamp(mutation), Mutation.sequence(mutation), change, 0, length);
    if (change[0] == RowChange.DELETE) {
      output.liveness().delete(ordinal);
    } else if (change[0] == RowChange.REINSERT) {
      output.liveness().reinsert(ordinal);
    }
  }
}
