package dev.kudu4j.tablet.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.CurrentComponents;
import dev.kudu4j.tablet.components.RowSetTree;
import dev.kudu4j.tablet.components.RefCounted;
import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.memrowset.MemRowSet;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.jetbrains.kotlinx.lincheck.annotations.Operation;
import org.junit.jupiter.api.Test;

/** One thread swaps versions, others pin what is current; nobody meets a closed part. */
class CurrentComponentsLinearizabilityTest {
  @Test
  void whoPinsGetsTheNewestVersionOpen() {
    Linearizability.check(Versions.class, Model.class);
    Versions.DISPOSAL.replace(null);
    assertThat(Versions.ALLOCATOR.getAllocatedMemory()).isZero();
  }

  /** Versions with a MemRowSet each, told apart by their column's id. */
  public static final class Versions {
    static final BufferAllocator ALLOCATOR = Allocators.root(Long.MAX_VALUE);
    static final Disposal DISPOSAL = new Disposal();

    private final CurrentComponents current = new CurrentComponents(version(0));
    private int newest;

    public Versions() {
      DISPOSAL.replace(current);
    }

    private static Components version(int number) {
      Schema schema = schema(number);
      RefCounted<MemRowSet> rows = new RefCounted<>(new MemRowSet(ALLOCATOR, 1 << 12, schema));
      Components made = new Components(schema, rows, null, new RowSetTree(List.of()));
      rows.release();
      return made;
    }

    private static Schema schema(int number) {
      return new Schema(
          List.of(ColumnSchema.builder("k", DataType.INT32).id(number).key(true).build()));
    }

    @Operation(nonParallelGroup = Linearizability.WRITER)
    public int swap() {
      current.swap(version(++newest));
      return newest;
    }

    @Operation
    public int readPinnedVersion() {
      Components readPinnedVersion = current.pin();
      try {
        readPinnedVersion.activeMemRowSet().rowCount(); // its RefCounted asserts that it is open
        return readPinnedVersion.schema().column(0).id();
      } finally {
        readPinnedVersion.unpin();
      }
    }
  }

  /** The sequential specification of the versions. */
  public static final class Model {
    private int newest;

    public int swap() {
      return ++newest;
    }

    public int readPinnedVersion() {
      return newest;
    }
  }
}
