package dev.kudu4j.tablet.unique;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.index.Uniqueness;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.scan.TabletScanner;
import dev.kudu4j.tablet.scan.source.ScanWork;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.WithNull;
import org.apache.arrow.memory.BufferAllocator;

/** Equal values are found in any number of passes, and nothing else. */
class DuplicateSearchTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              ColumnSchema.builder("key", DataType.INT32).id(0).key(true).build(),
              ColumnSchema.builder("value", DataType.INT32).id(1).nullable(true).build()));
  private static final IndexDefinition INDEX =
      new IndexDefinition(0, "by_value", List.of(1), List.of(), Uniqueness.PREPARING);

  @Property(tries = 300)
  void equalValuesAreFound(
      @ForAll @Size(max = 60) List<@WithNull(0.1) @IntRange(min = 0, max = 2000) Integer> values,
      @ForAll @IntRange(min = 1, max = 9) int passes,
      @ForAll boolean redacted)
      throws IOException {
    List<Integer> present = values.stream().filter(Objects::nonNull).toList();
    boolean equal = new HashSet<>(present).size() < present.size();
    try (BufferAllocator allocator = Allocators.root(1 << 22)) {
      DuplicateSearch search =
          new DuplicateSearch(
              projection -> new ValueScanner(values), allocator, INDEX, SCHEMA, passes);
      List<String> results = new ArrayList<>();
      for (int pass = 0; pass < search.passes(); pass++) {
        results.add(search.run(pass, redacted));
      }
      String found = results.stream().filter(text -> !text.isEmpty()).findFirst().orElse("");
      if (!equal) {
        assertThat(found).isEmpty();
      } else if (redacted) {
        assertThat(found).isEqualTo("more than one row has the value (int32 value=<redacted>)");
      } else {
        List<String> expected =
            present.stream()
                .filter(value -> Collections.frequency(present, value) > 1)
                .map(value -> "more than one row has the value (int32 value=" + value + ")")
                .toList();
        assertThat(expected).contains(found);
      }
    }
  }

  /** Returns a few rows at a time. */
  private static final class ValueScanner implements TabletScanner {
    private final List<Integer> values;
    private int next;

    ValueScanner(List<Integer> values) {
      this.values = values;
    }

    @Override
    public boolean next(ColumnBatch out, long softLimitBytes) {
      byte[] cell = new byte[4];
      for (int end = Math.min(values.size(), next + 7); next < end; next++) {
        Integer value = values.get(next);
        if (value == null) {
          out.column(0).appendNull();
        } else {
          LittleEndian.putInt(cell, 0, value);
          out.column(0).append(cell, 0, cell.length);
        }
      }
      return next < values.size();
    }

    @Override
    public byte[] lastKey() {
      return null;
    }

    @Override
    public long rowsScanned() {
      return next;
    }

    @Override
    public long bytesRead() {
      return 0;
    }

    @Override
    public ScanWork work() {
      return new ScanWork();
    }

    @Override
    public void close() {}
  }
}
