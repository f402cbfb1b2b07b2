package dev.kudu4j.spark.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.impl.UnionListWriter;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.junit.jupiter.api.Test;

/** Array columns that read the memory of a response. */
class ReceivedArraysTest {
  /** Aggregates and sorts of Spark copy arrays, including the elements that are NULL. */
  @Test
  void copiesHaveTheNullsOfTheirArrays() {
    try (BufferAllocator allocator = new RootAllocator();
        ColumnVector arrays = arrays(allocator)) {
      assertThat(arrays.numNulls()).isEqualTo(1);
      assertThat(arrays.isNullAt(1)).isTrue();
      assertThat(arrays.getArray(1)).isNull();
      assertThat(elements(arrays.getArray(0).copy())).containsExactly(7, null, -8);
      assertThat(elements(arrays.getArray(2).copy())).isEmpty();
      assertThat(elements(arrays.getArray(3).copy())).containsExactly((Object) null);
    }
  }

  private static ColumnVector arrays(BufferAllocator allocator) {
    ListVector received = ListVector.empty("a", allocator);
    UnionListWriter writer = received.getWriter();
    int row = 0;
    List<Integer> none = List.of();
    for (List<Integer> array :
        Arrays.asList(Arrays.asList(7, null, -8), null, none, Arrays.asList((Integer) null))) {
      writer.setPosition(row++);
      if (array != null) {
        add(array, writer);
      }
    }
    writer.setValueCount(row);
    DataType type = DataTypes.createArrayType(DataTypes.IntegerType);
    return ReceivedColumns.wrap(type, received);
  }

  private static void add(List<Integer> array, UnionListWriter writer) {
    writer.startList();
    for (Integer element : array) {
      if (element == null) {
        writer.integer().writeNull();
      } else {
        writer.integer().writeInt(element);
      }
    }
    writer.endList();
  }

  private static Object[] elements(ArrayData array) {
    return array.toObjectArray(DataTypes.IntegerType);
  }
}
