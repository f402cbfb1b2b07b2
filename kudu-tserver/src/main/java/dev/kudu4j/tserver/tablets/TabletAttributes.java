package dev.kudu4j.tserver.tablets;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.partition.PartitionText;
import dev.kudu4j.common.proto.cluster.AlterSchemaRequestPB;
import dev.kudu4j.common.proto.common.PartitionPB;
import dev.kudu4j.common.proto.common.PartitionSchemaPB;
import dev.kudu4j.common.proto.common.TableExtraConfigPB;
import dev.kudu4j.common.proto.common.TableTypePB;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.Epochs;
import dev.kudu4j.common.wire.IndexWire;
import dev.kudu4j.common.wire.PartitionWire;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.server.maintenance.TableMaintenanceConfig;
import dev.kudu4j.tablet.TabletDescriptor;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The attributes that a tablet server stores in a tablet's superblock: wire messages, by name. */
public final class TabletAttributes {
  static final String PARTITION = "partition";
  static final String PARTITION_SCHEMA = "partition_schema";
  static final String EXTRA_CONFIG = "extra_config";

  /** The index to whose table the tablet belongs, and its base table; absent for other tablets. */
  static final String DERIVATION = "derivation";

  /** The number of the table's type; absent for tables of users. */
  static final String TABLE_TYPE = "table_type";

  private TabletAttributes() {}

  static Partition partition(Map<String, byte[]> attributes) {
    return PartitionWire.fromWire(partitionWire(attributes));
  }

  /** The tablet's partition as text; empty for a tablet without one, such as the catalog. */
  public static String partitionText(TabletDescriptor descriptor) {
    Map<String, byte[]> attributes = descriptor.attributes();
    if (!attributes.containsKey(PARTITION)) {
      return "";
    }
    Schema schema = descriptor.schema();
    return PartitionText.of(partition(attributes), partitionSchema(attributes, schema), schema);
  }

  static PartitionPB partitionWire(Map<String, byte[]> attributes) {
    try {
      return PartitionPB.parseFrom(required(attributes, PARTITION));
    } catch (InvalidProtocolBufferException e) {
      throw broken(PARTITION, e);
    }
  }

  static PartitionSchema partitionSchema(Map<String, byte[]> attributes, Schema schema) {
    return PartitionWire.fromWire(partitionSchemaWire(attributes), schema);
  }

  static PartitionSchemaPB partitionSchemaWire(Map<String, byte[]> attributes) {
    try {
      return PartitionSchemaPB.parseFrom(required(attributes, PARTITION_SCHEMA));
    } catch (InvalidProtocolBufferException e) {
      throw broken(PARTITION_SCHEMA, e);
    }
  }

  /** The attributes that the request changes. */
  public static Map<String, byte[]> changedBy(AlterSchemaRequestPB request) {
    return request.hasExtraConfig()
        ? ofConfig(request.getExtraConfig(), SchemaWire.fromWire(request.getSchema()))
        : Map.of();
  }

  /**
   * The table's properties, and its indexes and epochs, which the engine reads.
   *
   * @param schema of the same request
   * @throws KuduException INVALID_ARGUMENT for an invalid index
   */
  static Map<String, byte[]> ofConfig(TableExtraConfigPB config, Schema schema) {
    int count = config.getIndexes().getIndexesCount();
    if (count > IndexDefinition.MAX_INDEXES) {
      throw KuduException.invalidArgument(
          "A table can have at most %d indexes, not %d", IndexDefinition.MAX_INDEXES, count);
    }
    config.getIndexes().getIndexesList().forEach(index -> IndexWire.fromWire(index).check(schema));
    Map<String, byte[]> attributes = new HashMap<>();
    attributes.put(
        EXTRA_CONFIG, config.toBuilder().clearIndexes().clearDerivation().build().toByteArray());
    attributes.put(TabletDescriptor.INDEXES, config.getIndexes().toByteArray());
    attributes.put(TabletDescriptor.EPOCHS, Epochs.ofSeconds(config.getEpochSec()).toBytes());
    if (config.hasDerivation()) {
      attributes.put(DERIVATION, config.getDerivation().toByteArray());
    }
    return attributes;
  }

  /** What the rows of a derived tablet are computed from; null for other tablets. */
  static @Nullable Derivation derivation(Map<String, byte[]> attributes) {
    byte[] bytes = attributes.get(DERIVATION);
    return bytes == null ? null : Derivation.fromBytes(bytes);
  }

  /** Whether the tablet belongs to the table of an index. */
  static boolean isOfIndex(Map<String, byte[]> attributes) {
    return attributes.containsKey(DERIVATION);
  }

  /** Whether the tablet belongs to the table of transactions. */
  static boolean isStatusTablet(Map<String, byte[]> attributes) {
    byte[] type = attributes.get(TABLE_TYPE);
    return type != null && type[0] == TableTypePB.TXN_STATUS_TABLE_VALUE;
  }

  /** The maintenance configuration in the table's properties. */
  static TableMaintenanceConfig maintenanceConfig(Map<String, byte[]> attributes) {
    return TableMaintenanceConfig.of(extraConfig(attributes));
  }

  /** How old scans of the latest rows may be, in microseconds; 0 by default. */
  static long readFreshnessMicros(Map<String, byte[]> attributes) {
    return TimeUnit.SECONDS.toMicros(extraConfig(attributes).getReadFreshnessSec());
  }

  private static TableExtraConfigPB extraConfig(Map<String, byte[]> attributes) {
    try {
      return TableExtraConfigPB.parseFrom(attributes.getOrDefault(EXTRA_CONFIG, new byte[0]));
    } catch (InvalidProtocolBufferException e) {
      throw broken(EXTRA_CONFIG, e);
    }
  }

  private static byte[] required(Map<String, byte[]> attributes, String name) {
    byte[] value = attributes.get(name);
    if (value == null) {
      throw KuduException.corruption("The tablet's superblock lacks the attribute %s", name);
    }
    return value;
  }

  private static KuduException broken(String name, InvalidProtocolBufferException cause) {
    return KuduException.corruption(
        "The attribute %s of the tablet's superblock cannot be read: %s",
        name, String.valueOf(cause.getMessage()));
  }
}
