package dev.kudu4j.tablet.concurrency;

import dev.kudu4j.tablet.delta.DeltaMemStore;
import dev.kudu4j.tablet.delta.Mutation;
import dev.kudu4j.tablet.delta.RowChange;
import dev.kudu4j.tablet.delta.RowChangeBuilder;
import dev.kudu4j.tablet.memory.Allocators;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.jetbrains.kotlinx.lincheck.annotations.Param;
import org.jetbrains.kotlinx.lincheck.paramgen.IntGen;
import org.junit.jupiter.api.Test;

/** One writer appends to chains, readers walk them newest first. */
class DeltaMemStoreLinearizabilityTest {
  @Test
  void chainsAreThoseOfAMapOfLists() {
    Linearizability.check(Store.class, Model.class);
  }

  /** Uses few rows, so that chains get long and readers walk them while they grow. */
  @Param(name = "ordinal", gen = IntGen.class, conf = "0:3")
  public static final class Store {
    private static final BufferAllocator ALLOCATOR = Allocators.root(Long.MAX_VALUE);
    private static final Disposal DISPOSAL = new Disposal();
    private static final RowChangeBuilder DELETION = new RowChangeBuilder();

    static {
      DELETION.begin(RowChange.DELETE);
    }

    private final DeltaMemStore store = new DeltaMemStore(ALLOCATOR, 1 << 16);
    private long now;

    public Store() {
      DISPOSAL.replace(store);
    }

    @Operation(nonParallelGroup = Linearizability.WRITER)
    public long change(@Param(name = "ordinal") int ordinal) {
      now++;
      store.add(ordinal, now, 0, DELETION.array(), 0, DELETION.length());
      return now;
    }

    @Operation
    public List<Long> changesOf(@Param(name = "ordinal") int ordinal) {
      List<Long> timestamps = new ArrayList<>();
      for (long at = store.newest(ordinal); at != 0; at = Mutation.next(at)) {
        timestamps.add(Mutation.timestamp(at));
      }
      return timestamps;
    }

    @Operation(nonParallelGroup = Linearizability.WRITER)
    public boolean isEmpty() {
      return store.isEmpty();
    }
  }

  /** The sequential specification of the store. */
  public static final class Model {
    private final Map<Integer, Deque<Long>> chains = new HashMap<>();
    private long now;

    public long change(int ordinal) {
      now++;
      chains.computeIfAbsent(ordinal, o -> new ArrayDeque<>()).addFirst(now);
      return now;
    }

    public List<Long> changesOf(int ordinal) {
      return new ArrayList<>(chains.getOrDefault(ordinal, new ArrayDeque<>()));
    }

    public boolean isEmpty() {
      return chains.isEmpty();
    }
  }
}
