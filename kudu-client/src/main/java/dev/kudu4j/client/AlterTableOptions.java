package dev.kudu4j.client;

import com.google.protobuf.ByteString;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.ColumnTypeAttributes;
import dev.kudu4j.Type;
import dev.kudu4j.common.proto.common.ColumnSchemaDeltaPB;
import dev.kudu4j.common.proto.common.CompressionType;
import dev.kudu4j.common.proto.common.EncodingType;
import dev.kudu4j.common.proto.common.RowOperationsPB;
import dev.kudu4j.common.proto.master.AlterTableRequestPB;
import dev.kudu4j.common.proto.master.AlterTableRequestPB.AddColumn;
import dev.kudu4j.common.proto.master.AlterTableRequestPB.AddRangePartition;
import dev.kudu4j.common.proto.master.AlterTableRequestPB.AddRangePartition.CustomHashSchema;
import dev.kudu4j.common.proto.master.AlterTableRequestPB.AlterColumn;
import dev.kudu4j.common.proto.master.AlterTableRequestPB.DropColumn;
import dev.kudu4j.common.proto.master.AlterTableRequestPB.DropRangePartition;
import dev.kudu4j.common.proto.master.AlterTableRequestPB.RenameColumn;
import dev.kudu4j.common.proto.master.AlterTableRequestPB.Step;
import dev.kudu4j.common.proto.master.AlterTableRequestPB.StepType;
import dev.kudu4j.common.proto.master.MasterFeatures;
import dev.kudu4j.common.proto.master.TableIdentifierPB;
import dev.kudu4j.common.wire.SchemaWire;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Changes to a table, applied atomically and in the given order. */
public final class AlterTableOptions {
  private final AlterTableRequestPB.Builder request = AlterTableRequestPB.newBuilder();
  private final SortedSet<Integer> features = new TreeSet<>();
  private boolean changesRanges;
  private boolean wait = true;

  public AlterTableOptions renameTable(String newName) {
    request.setNewTableName(newName);
    return this;
  }

  public AlterTableOptions setOwner(String owner) {
    request.setNewTableOwner(owner);
    return this;
  }

  public AlterTableOptions setComment(String comment) {
    request.setNewTableComment(comment);
    return this;
  }

  /**
   * Adds a column at the end. Existing rows read its default, or NULL.
   *
   * @throws IllegalArgumentException if the column is a key column, or is not nullable and has no
   *     default
   */
  public AlterTableOptions addColumn(ColumnSchema column) {
    if (column.isKey()) {
      throw new IllegalArgumentException("Key columns cannot be added: " + column.getName());
    }
    if (!column.isNullable() && column.getDefaultValue() == null) {
      throw new IllegalArgumentException(
          "A new non-null column must have a default value: " + column.getName());
    }
    features.add(MasterFeatures.IMMUTABLE_COLUMN_ATTRIBUTE_VALUE);
    if (column.isWithoutTimeZone()) {
      features.add(MasterFeatures.WITHOUT_TIME_ZONE_VALUE);
    }
    if (column.isArray()) {
      features.add(MasterFeatures.ARRAY_1D_COLUMN_TYPE_VALUE);
    }
    addStep(StepType.ADD_COLUMN)
        .setAddColumn(
            AddColumn.newBuilder()
                .setSchema(
                    CreateTableOptions.toWire(column).toBuilder()
                        .setImmutable(column.isImmutable())));
    return this;
  }

  /** Adds a column that is not nullable; existing rows read the default. */
  public AlterTableOptions addColumn(String name, Type type, Object defaultValue) {
    if (defaultValue == null) {
      throw new IllegalArgumentException(
          "A new column must have a default value, use addNullableColumn() to add a nullable"
              + " column without default value: "
              + name);
    }
    return addColumn(
        new ColumnSchema.ColumnSchemaBuilder(name, type).defaultValue(defaultValue).build());
  }

  /** Adds a nullable column; existing rows read NULL. */
  public AlterTableOptions addNullableColumn(String name, Type type) {
    return addNullableColumn(name, type, null);
  }

  /** Adds a nullable column; existing rows read the default. */
  public AlterTableOptions addNullableColumn(String name, Type type, Object defaultValue) {
    return addColumn(
        new ColumnSchema.ColumnSchemaBuilder(name, type)
            .nullable(true)
            .defaultValue(defaultValue)
            .build());
  }

  /** Adds a nullable column of arrays; existing rows read NULL. */
  public AlterTableOptions addNullableArrayColumn(String name, Type elementType) {
    return addNullableArrayColumn(name, elementType, null);
  }

  /**
   * Adds a nullable column of arrays; existing rows read NULL.
   *
   * @param attributes the attributes of the elements; null unless they are DECIMAL or VARCHAR
   */
  public AlterTableOptions addNullableArrayColumn(
      String name, Type elementType, ColumnTypeAttributes attributes) {
    return addColumn(
        new ColumnSchema.ColumnSchemaBuilder(name, elementType)
            .typeAttributes(attributes)
            .array(true)
            .nullable(true)
            .build());
  }

  public AlterTableOptions dropColumn(String name) {
    addStep(StepType.DROP_COLUMN).setDropColumn(DropColumn.newBuilder().setName(name));
    return this;
  }

  public AlterTableOptions renameColumn(String oldName, String newName) {
    addStep(StepType.RENAME_COLUMN)
        .setRenameColumn(RenameColumn.newBuilder().setOldName(oldName).setNewName(newName));
    return this;
  }

  /** Removes the default. Inserts must then set the column, unless the column is nullable. */
  public AlterTableOptions removeDefault(String name) {
    return alterColumn(ColumnSchemaDeltaPB.newBuilder().setName(name).setRemoveDefault(true));
  }

  /**
   * Changes the default, which applies to inserts that leave the column unset.
   *
   * @param newDefault a value of the column's type, such as an Integer for INT32
   */
  public AlterTableOptions changeDefault(String name, Object newDefault) {
    if (newDefault == null) {
      throw new IllegalArgumentException(
          "newDefault cannot be null: use removeDefault to clear a default value");
    }
    return alterColumn(
        ColumnSchemaDeltaPB.newBuilder()
            .setName(name)
            .setDefaultValue(ByteString.copyFrom(cellOf(name, newDefault))));
  }

  /** Encodes a value by its Java class, because the options do not contain the column's type. */
  private static byte[] cellOf(String column, Object value) {
    if (value instanceof Boolean flag) {
      return new byte[] {(byte) (flag ? 1 : 0)};
    } else if (value instanceof Byte number) {
      return new byte[] {number};
    } else if (value instanceof Short number) {
      return cell(Short.BYTES).putShort(number).array();
    } else if (value instanceof Integer number) {
      return cell(Integer.BYTES).putInt(number).array();
    } else if (value instanceof Long number) {
      return cell(Long.BYTES).putLong(number).array();
    } else if (value instanceof Float number) {
      return cell(Float.BYTES).putFloat(number).array();
    } else if (value instanceof Double number) {
      return cell(Double.BYTES).putDouble(number).array();
    } else if (value instanceof String text) {
      return text.getBytes(StandardCharsets.UTF_8);
    } else if (value instanceof byte[] bytes) {
      return bytes;
    } else if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return bytes;
    } else if (value instanceof BigDecimal number) {
      return decimal(number);
    }
    throw new IllegalArgumentException(
        "The default value provided for column "
            + column
            + " is of class "
            + value.getClass().getName()
            + " which does not map to a supported Kudu type");
  }

  private static ByteBuffer cell(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Encodes a decimal in 4, 8 or 16 bytes, depending on the precision of {@code value}, because the
   * options do not contain the column's precision.
   */
  private static byte[] decimal(BigDecimal value) {
    int width = value.precision() <= 9 ? 4 : value.precision() <= 18 ? 8 : 16;
    byte[] bytes = new byte[width];
    dev.kudu4j.CellForm.putUnscaled(value.unscaledValue(), bytes, 0, width);
    return bytes;
  }

  public AlterTableOptions changeDesiredBlockSize(String name, int blockSize) {
    return alterColumn(ColumnSchemaDeltaPB.newBuilder().setName(name).setBlockSize(blockSize));
  }

  public AlterTableOptions changeEncoding(String name, ColumnSchema.Encoding encoding) {
    return alterColumn(
        ColumnSchemaDeltaPB.newBuilder()
            .setName(name)
            .setEncoding(EncodingType.forNumber(encoding.toCommon().wireNumber())));
  }

  public AlterTableOptions changeCompressionAlgorithm(
      String name, ColumnSchema.CompressionAlgorithm algorithm) {
    return alterColumn(
        ColumnSchemaDeltaPB.newBuilder()
            .setName(name)
            .setCompression(CompressionType.forNumber(algorithm.toCommon().wireNumber())));
  }

  public AlterTableOptions changeComment(String name, String comment) {
    return alterColumn(ColumnSchemaDeltaPB.newBuilder().setName(name).setNewComment(comment));
  }

  /** Sets whether the column's cells are immutable once written. */
  public AlterTableOptions changeImmutable(String name, boolean immutable) {
    features.add(MasterFeatures.IMMUTABLE_COLUMN_ATTRIBUTE_VALUE);
    return alterColumn(ColumnSchemaDeltaPB.newBuilder().setName(name).setImmutable(immutable));
  }

  private AlterTableOptions alterColumn(ColumnSchemaDeltaPB.Builder delta) {
    addStep(StepType.ALTER_COLUMN).setAlterColumn(AlterColumn.newBuilder().setDelta(delta));
    return this;
  }

  /** Adds a range partition, from {@code lowerBound} inclusive to {@code upperBound} exclusive. */
  public AlterTableOptions addRangePartition(PartialRow lowerBound, PartialRow upperBound) {
    return addRangePartition(
        lowerBound,
        upperBound,
        RangePartitionBound.INCLUSIVE_BOUND,
        RangePartitionBound.EXCLUSIVE_BOUND);
  }

  /** Adds a range partition. A bound with no column set means unbounded. */
  public AlterTableOptions addRangePartition(
      PartialRow lowerBound,
      PartialRow upperBound,
      RangePartitionBound lowerBoundType,
      RangePartitionBound upperBoundType) {
    return addRangePartition(lowerBound, upperBound, null, lowerBoundType, upperBoundType);
  }

  /**
   * Adds a range partition.
   *
   * @param dimensionLabel guides the placement of the new tablets; may be null
   */
  public AlterTableOptions addRangePartition(
      PartialRow lowerBound,
      PartialRow upperBound,
      String dimensionLabel,
      RangePartitionBound lowerBoundType,
      RangePartitionBound upperBoundType) {
    RangePartition range =
        new RangePartition(lowerBound, upperBound, lowerBoundType, upperBoundType);
    AddRangePartition.Builder step = addRange(range);
    if (dimensionLabel != null) {
      step.setDimensionLabel(dimensionLabel);
    }
    return this;
  }

  /** Adds a range partition with its own hash schema. */
  public AlterTableOptions addRangePartition(RangePartitionWithCustomHashSchema range) {
    features.add(MasterFeatures.RANGE_SPECIFIC_HASH_SCHEMA_VALUE);
    addRange(range)
        .setCustomHashSchema(CustomHashSchema.newBuilder().addAllHashSchema(range.hashing()));
    return this;
  }

  private AddRangePartition.Builder addRange(RangePartition range) {
    RowOperationsPB bounds = bounds(range);
    return addStep(StepType.ADD_RANGE_PARTITION)
        .getAddRangePartitionBuilder()
        .setRangeBounds(bounds);
  }

  /** Drops a range partition and its rows; the bounds must be exactly those of the range. */
  public AlterTableOptions dropRangePartition(PartialRow lowerBound, PartialRow upperBound) {
    return dropRangePartition(
        lowerBound,
        upperBound,
        RangePartitionBound.INCLUSIVE_BOUND,
        RangePartitionBound.EXCLUSIVE_BOUND);
  }

  /** Drops a range partition and its rows; the bounds must be exactly those of the range. */
  public AlterTableOptions dropRangePartition(
      PartialRow lowerBound,
      PartialRow upperBound,
      RangePartitionBound lowerBoundType,
      RangePartitionBound upperBoundType) {
    RowOperationsPB bounds =
        bounds(new RangePartition(lowerBound, upperBound, lowerBoundType, upperBoundType));
    addStep(StepType.DROP_RANGE_PARTITION)
        .setDropRangePartition(DropRangePartition.newBuilder().setRangeBounds(bounds));
    return this;
  }

  private RowOperationsPB bounds(RangePartition range) {
    changesRanges = true;
    features.add(MasterFeatures.RANGE_PARTITION_BOUNDS_VALUE);
    dev.kudu4j.common.schema.Schema schema = range.getLowerBound().getSchema().toCommon();
    request.setSchema(SchemaWire.toWire(schema, false));
    return range.toWire();
  }

  /**
   * Creates an index; servers build it in the background. Creating one that exists already, with
   * the same columns, does nothing.
   */
  public AlterTableOptions addIndex(KuduIndex index) {
    request.putNewExtraConfigs(index.property(), index.toString());
    return this;
  }

  /** Drops an index. */
  public AlterTableOptions dropIndex(String name) {
    request.putNewExtraConfigs(KuduIndex.property(name), "");
    return this;
  }

  /**
   * Makes the servers build an index again, from the rows, in the background. Its definition stays.
   */
  public AlterTableOptions rebuildIndex(String name) {
    features.add(MasterFeatures.INDEXES_VALUE);
    request.addRebuiltIndexes(name);
    return this;
  }

  /** Sets properties; an empty value removes a property. */
  public AlterTableOptions alterExtraConfigs(Map<String, String> extraConfig) {
    request.putAllNewExtraConfigs(extraConfig);
    return this;
  }

  /** Whether to wait until all tablets have applied the changes; default true. */
  public AlterTableOptions setWait(boolean wait) {
    this.wait = wait;
    return this;
  }

  private Step.Builder addStep(StepType type) {
    return request.addAlterSchemaStepsBuilder().setType(type);
  }

  boolean shouldWait() {
    return wait;
  }

  /** Whether range partitions are added or dropped. */
  boolean changesRanges() {
    return changesRanges;
  }

  /** The features that a master needs to understand the request. */
  List<Integer> requiredFeatures() {
    return List.copyOf(features);
  }

  AlterTableRequestPB toRequest(String tableName) {
    return request.clone().setTable(TableIdentifierPB.newBuilder().setTableName(tableName)).build();
  }
}
