package dev.kudu4j.spark.read;

import dev.kudu4j.client.RowResult;
import dev.kudu4j.spark.type.InternalRows;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ArrowColumnVector;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/**
 * Reads the cells of groups: in place if all numbers of a batch fit into 64 bits and into the types
 * that Spark expects, which is the common case; otherwise group by group, for {@link
 * AggregateRows}.
 *
 * @param columns see {@link PushedAggregates}
 * @param groupColumns number of grouping columns, which come first
 */
record GroupCells(StructType columns, int groupColumns) {
  /**
   * The batch, in place.
   *
   * @param received closed with the result, and left open without a result
   */
  Optional<ColumnarBatch> inPlace(VectorSchemaRoot received) {
    ColumnVector[] vectors = new ColumnVector[columns.length()];
    for (int i = 0; i < vectors.length; i++) {
      DataType type = columns.fields()[i].dataType();
      if (i >= groupColumns && received.getVector(i) instanceof DecimalVector exact) {
        Optional<WideNumbers> numbers = WideNumbers.of(type, exact, received.getRowCount());
        if (numbers.isEmpty()) {
          return Optional.empty();
        }
        vectors[i] = numbers.get();
      } else {
        vectors[i] = ReceivedColumns.wrap(type, received.getVector(i));
      }
    }
    return Optional.of(new ColumnarBatch(vectors, received.getRowCount()));
  }

  /**
   * The rows of a batch, copied.
   *
   * @param received closed by this method
   */
  Iterator<InternalRow> rows(VectorSchemaRoot received) {
    ColumnVector[] vectors = new ColumnVector[columns.length()];
    for (int i = 0; i < vectors.length; i++) {
      vectors[i] =
          isWide(received, i)
              ? new ArrowColumnVector(received.getVector(i))
              : ReceivedColumns.wrap(columns.fields()[i].dataType(), received.getVector(i));
    }
    List<Object[]> groups = new ArrayList<>();
    try (ColumnarBatch batch = new ColumnarBatch(vectors, received.getRowCount())) {
      for (int row = 0; row < batch.numRows(); row++) {
        InternalRow copy = batch.getRow(row).copy();
        Object[] cells = new Object[vectors.length];
        for (int i = 0; i < cells.length; i++) {
          cells[i] = copy.isNullAt(i) ? null : cell(copy.get(i, vectors[i].dataType()), i);
        }
        groups.add(cells);
      }
    }
    return new AggregateRows(groups.iterator(), columns, groupColumns);
  }

  private boolean isWide(VectorSchemaRoot received, int column) {
    return column >= groupColumns && received.getVector(column) instanceof DecimalVector;
  }

  private Object cell(Object received, int column) {
    if (column < groupColumns || !(received instanceof Decimal number)) {
      return received;
    }
    DataType type = columns.fields()[column].dataType();
    BigDecimal exact = number.toJavaBigDecimal();
    return type instanceof DecimalType ? exact : InternalRows.integer(exact, type);
  }

  /** The rows of groups that the client has merged. */
  Iterator<InternalRow> rows(Iterator<RowResult> merged) {
    Iterator<Object[]> groups =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return merged.hasNext();
          }

          @Override
          public Object[] next() {
            return cells(merged.next());
          }
        };
    return new AggregateRows(groups, columns, groupColumns);
  }

  private Object[] cells(RowResult group) {
    Object[] cells = new Object[columns.length()];
    StructField[] fields = columns.fields();
    for (int i = 0; i < cells.length; i++) {
      if (!group.isNull(i)) {
        boolean divided = i >= groupColumns && fields[i].dataType() instanceof DecimalType;
        cells[i] =
            divided
                ? InternalRows.exact(group.getObject(i))
                : InternalRows.cell(group, i, fields[i].dataType());
      }
    }
    return cells;
  }
}
