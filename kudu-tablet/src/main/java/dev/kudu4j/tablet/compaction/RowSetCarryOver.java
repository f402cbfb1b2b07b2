package dev.kudu4j.tablet.compaction;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.tablet.apply.AppliedState;
import dev.kudu4j.tablet.apply.MissedDeltas;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.delta.ChangeLog;
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
 *   first round      counts the changes of the input DeltaMemStores; later ones are collected
 *   second round     the changes that were counted
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
  private int[] uncollected = {}; // the number of changes of each input before the first round
  private @Nullable MissedDeltas changes; // null before the first round
  private int moved;
  private int rounds;
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
    rounds++;
    if (changes == null) {
      changes = beginToCollect();
    } else if (rounds == 2) {
      moveStores();
    } else {
      return moveCollected(changes);
    }
    return true;
  }

  private boolean moveCollected(MissedDeltas collected) {
    MissedDeltas now;
    state.writerLock().lock();
    try {
      if (collected.count() - moved <= FEW_CHANGES || rounds > MAX_ROUNDS) {
        return false;
      }
      now = collected.snapshot();
    } finally {
      state.writerLock().unlock();
    }
    move(now);
    return true;
  }

  /** Moves the remaining changes; requires the writer lock. */
  void finish() {
    move(Objects.requireNonNull(changes, "a round begins to collect"));
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

  /**
   * Starts collecting changes, and counts those before. Timestamps would not tell them apart,
   * because a FEED entry may go on at the timestamp at which the entry before it ended.
   */
  private MissedDeltas beginToCollect() {
    MissedDeltas later = new MissedDeltas(inputs);
    state.writerLock().lock();
    try {
      uncollected =
          inputs.stream().mapToInt(input -> input.activeDeltas().changes().count()).toArray();
      state.collectRowSetChanges(later);
      return later;
    } finally {
      state.writerLock().unlock();
    }
  }

  private void moveStores() {
    for (int i = 0; i < inputs.size(); i++) {
      ChangeLog store = inputs.get(i).activeDeltas().changes();
      for (int k = 0; k < uncollected[i]; k++) {
        move(i, store.row(k), store.mutation(k));
      }
    }
  }

  private void move(MissedDeltas collected) {
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
