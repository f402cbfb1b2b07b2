package dev.kudu4j.spark.write;

import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.client.PartialRow;
import dev.kudu4j.client.PartitionSchema;
import dev.kudu4j.client.PartitionSchema.HashBucketSchema;
import dev.kudu4j.client.PartitionSchema.RangeSchema;
import dev.kudu4j.spark.catalog.TableDescription;
import dev.kudu4j.spark.type.SparkTypes;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.functions.BoundFunction;
import org.apache.spark.sql.connector.catalog.functions.Reducer;
import org.apache.spark.sql.connector.catalog.functions.ReducibleFunction;
import org.apache.spark.sql.connector.catalog.functions.ScalarFunction;
import org.apache.spark.sql.connector.catalog.functions.UnboundFunction;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * {@code bucket(n, columns)}: the bucket of a row, from 0, in a hash dimension with {@code n}
 * buckets and without a seed; NULL if a column is NULL. The columns are in the order of the table.
 *
 * <p>Scans report their partitioning with this function. Spark compares the functions of two tables
 * by {@link Bound#canonicalName}, which contains the types of the columns: the same number in
 * columns of different types has different hashes.
 */
public final class BucketFunction implements UnboundFunction {
  public static final String NAME = "bucket";

  private static final int FEWEST_BUCKETS = 2;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return NAME + "(buckets, columns): the bucket of a row in a hash dimension of these columns";
  }

  @Override
  public BoundFunction bind(StructType inputType) {
    if (inputType.length() < 2 || !(inputType.apply(0).dataType() instanceof IntegerType)) {
      throw new UnsupportedOperationException(
          NAME + " needs the number of buckets, an INT, and then at least one column");
    }
    for (StructField argument : columns(inputType)) {
      if (!isHashable(argument.dataType())) {
        throw new UnsupportedOperationException(
            NAME
                + " cannot hash a "
                + argument.dataType().sql()
                + "; columns of a primary key have other types");
      }
    }
    return new Bound(inputType);
  }

  private static StructField[] columns(StructType inputType) {
    return Arrays.copyOfRange(inputType.fields(), 1, inputType.length());
  }

  private static boolean isHashable(DataType type) {
    if (type instanceof BooleanType
        || type instanceof FloatType
        || type instanceof DoubleType
        || type instanceof ArrayType) {
      return false;
    }
    try {
      SparkTypes.kuduColumn("column", type);
      return true;
    } catch (IllegalArgumentException e) {
      return false; // Kudu does not have the type
    }
  }

  /** The function for specific argument types. Each task has its own. */
  private static final class Bound
      implements ScalarFunction<Integer>, ReducibleFunction<Integer, Integer> {
    private static final long serialVersionUID = 1L;

    private final StructType arguments;
    private transient Hasher hasher; // of the latest number of buckets; null until used

    Bound(StructType arguments) {
      this.arguments = arguments;
    }

    @Override
    public String name() {
      return NAME;
    }

    @Override
    public String canonicalName() {
      return Arrays.stream(columns(arguments))
          .map(column -> column.dataType().sql())
          .collect(Collectors.joining(", ", "kudu4j." + NAME + "(", ")"));
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
    public Integer produceResult(InternalRow input) {
      for (int i = 0; i < arguments.length(); i++) {
        if (input.isNullAt(i)) {
          return null;
        }
      }
      int buckets = input.getInt(0);
      if (hasher == null || hasher.buckets != buckets) {
        hasher = new Hasher(buckets, arguments);
      }
      return hasher.bucket(input);
    }

    /**
     * Spark can join a table of 8 buckets with one of 4 without moving rows: the bucket of 4 is the
     * remainder of the bucket of 8.
     */
    @Override
    public Reducer<Integer, Integer> reducer(
        int thisNumBuckets, ReducibleFunction<?, ?> other, int otherNumBuckets) {
      boolean reducible =
          other instanceof Bound that
              && canonicalName().equals(that.canonicalName())
              && thisNumBuckets > otherNumBuckets
              && thisNumBuckets % otherNumBuckets == 0;
      return reducible ? new Remainder(otherNumBuckets) : null;
    }

    /** The name of the function in plans. */
    @Override
    public String toString() {
      return NAME;
    }
  }

  /** Spark 4.1 sends it to tasks. */
  private record Remainder(int buckets) implements Reducer<Integer, Integer>, Serializable {
    @Override
    public Integer reduce(Integer bucket) {
      return bucket % buckets;
    }

    @SuppressWarnings("MissingOverride") // Spark 4.1 does not have the method
    public DataType resultType() {
      return DataTypes.IntegerType;
    }
  }

  /** Hashes rows as servers do: as the rows of a table whose key is the arguments. */
  private static final class Hasher {
    private final int buckets;
    private final Schema schema;
    private final PartitionSchema partitions;
    private final RowCopier copier;

    Hasher(int buckets, StructType arguments) {
      if (buckets < FEWEST_BUCKETS) {
        throw new IllegalArgumentException(
            NAME + " needs at least " + FEWEST_BUCKETS + " buckets, got " + buckets);
      }
      this.buckets = buckets;
      List<ColumnSchema> columns = new ArrayList<>();
      for (StructField column : columns(arguments)) {
        String name = "c" + columns.size();
        columns.add(SparkTypes.kuduColumn(name, column.dataType()).key(true).build());
      }
      List<Integer> ids = IntStream.range(0, columns.size()).boxed().toList();
      this.schema = new Schema(columns, ids);
      this.partitions =
          new PartitionSchema(
              new RangeSchema(List.of()),
              List.of(new HashBucketSchema(ids, buckets, TableDescription.HASH_SEED)),
              schema);
      int[] targets = IntStream.range(-1, columns.size()).toArray();
      targets[0] = ColumnMatch.NOWHERE;
      this.copier = new RowCopier(NAME, arguments, schema, targets, RowCopier.Nulls.WRITTEN);
    }

    int bucket(InternalRow input) {
      PartialRow row = schema.newPartialRow();
      copier.copy(input, row);
      return ByteBuffer.wrap(partitions.encodePartitionKey(row)).getInt(); // it comes first
    }
  }
}
