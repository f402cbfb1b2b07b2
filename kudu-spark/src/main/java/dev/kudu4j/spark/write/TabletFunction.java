package dev.kudu4j.spark.write;

import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduPartitioner;
import dev.kudu4j.client.KuduPartitioner.KuduPartitionerBuilder;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.NonCoveredRangeException;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.spark.catalog.TableDescription;
import dev.kudu4j.spark.client.ClusterErrors;
import dev.kudu4j.spark.client.Connection;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * {@code kudu_tablet('db.t', columns)}: the number of the tablet of a row, from 0, or -1 if no
 * tablet covers the row. The columns are the partition columns: first those of the hash dimensions,
 * then the range columns. It is used to shuffle rows before they are written.
 *
 * @param connection the cluster of the table
 */
public record TabletFunction(Connection connection) implements UnboundFunction {
  public static final String NAME = "kudu_tablet";

  private static final int UNCOVERED = -1;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return NAME + "(table, partition columns): number of the tablet that contains a row";
  }

  @Override
  public BoundFunction bind(StructType inputType) {
    if (inputType.length() == 0 || !inputType.apply(0).dataType().equals(DataTypes.StringType)) {
      throw new UnsupportedOperationException(
          NAME + " needs the name of a table on the cluster as the first argument");
    }
    return new Bound(connection, inputType);
  }

  /** The function for specific argument types. Each task has its own. */
  private static final class Bound implements ScalarFunction<Integer> {
    private static final long serialVersionUID = 1L;

    private final Connection connection;
    private final StructType arguments;
    private transient Numbering numbering;

    Bound(Connection connection, StructType arguments) {
      this.connection = connection;
      this.arguments = arguments;
    }

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String canonicalName() {
      return "kudu4j." + NAME;
    }

    @Override
    public DataType[] inputTypes() {
      return Arrays.stream(arguments.fields()).map(StructField::dataType).toArray(DataType[]::new);
    }

    @Override
    public DataType resultType() {
      return DataTypes.IntegerType;
    }

    @Override
    public boolean isResultNullable() {
      return false;
    }

    @Override
    public Integer produceResult(InternalRow input) {
      String table = input.getUTF8String(0).toString();
      if (numbering == null || !numbering.table.getName().equals(table)) {
        numbering = Numbering.of(connection, table, arguments);
      }
      return numbering.of(input);
    }

    /** The name of the function in plans. */
    @Override
    public String toString() {
      return NAME;
    }
  }

  /** Numbers the tablets of a table. */
  private static final class Numbering {
    private final KuduTable table;
    private final KuduPartitioner partitioner;
    private final RowCopier copier;

    private Numbering(KuduTable table, KuduPartitioner partitioner, RowCopier copier) {
      this.table = table;
      this.partitioner = partitioner;
      this.copier = copier;
    }

    static Numbering of(Connection connection, String name, StructType arguments) {
      try {
        KuduTable table = connection.client().openTable(name);
        List<String> columns = TableDescription.partitionColumns(table);
        if (columns.size() != arguments.length() - 1) {
          throw new IllegalArgumentException(
              NAME + " of table " + name + " takes its partition columns: " + columns);
        }
        int[] targets = new int[arguments.length()];
        targets[0] = ColumnMatch.NOWHERE;
        for (int i = 1; i < targets.length; i++) {
          targets[i] = table.getSchema().getColumnIndex(columns.get(i - 1));
        }
        return new Numbering(
            table,
            new KuduPartitionerBuilder(table).build(),
            new RowCopier(name, arguments, table.getSchema(), targets, RowCopier.Nulls.WRITTEN));
      } catch (KuduException e) {
        throw ClusterErrors.of("Cannot number the tablets of table " + name, e);
      }
    }

    int of(InternalRow input) {
      PartialRow row = table.getSchema().newPartialRow();
      copier.copy(input, row);
      try {
        return partitioner.partitionRow(row);
      } catch (NonCoveredRangeException e) {
        return UNCOVERED; // the write of the row reports the error
      }
    }
  }
}
