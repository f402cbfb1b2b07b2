package dev.kudu4j.tserver.tablets;

import dev.kudu4j.common.partition.PartitionKeyEncoder;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.row.DefaultedCells;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.schema.SchemaMapping;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.tablet.apply.RowFootprint;
import java.util.stream.IntStream;

/**
 * A client's schema, matched with a tablet's schema. Created once and used for every write with the
 * same client schema. Immutable.
 *
 * @param clientSchema as received, for comparison with the schema of later writes
 * @param tabletSchema the tablet's schema with which {@code clientSchema} was matched
 * @param layout the layout of the client's rows
 * @param columnIds the tablet's id of each client column
 * @param messageIndexes the client's index of each tablet column
 * @param footprint computes the memory that the tablet's rows take
 */
public record WriteSchema(
    SchemaPB clientSchema,
    Schema tabletSchema,
    RowLayout layout,
    int[] columnIds,
    int[] messageIndexes,
    RowFootprint footprint) {

  /**
   * @throws dev.kudu4j.common.schema.SchemaException MISMATCHED_SCHEMA if the two schemas do not
   *     match
   */
  public static WriteSchema match(SchemaPB clientSchema, Schema tablet) {
    Schema client = SchemaWire.ofClient(clientSchema);
    SchemaMapping mapping = SchemaMapping.match(client, tablet);
    int[] columnIds = new int[client.columnCount()];
    for (int i = 0; i < columnIds.length; i++) {
      columnIds[i] = tablet.column(mapping.tabletIndexOf(i)).id();
    }
    return new WriteSchema(
        clientSchema,
        tablet,
        RowLayout.of(client),
        columnIds,
        mapping.messageIndexes(),
        new RowFootprint(tablet));
  }

  @SuppressWarnings("ReferenceEquality") // a changed schema is another object
  public boolean serves(SchemaPB otherClient, Schema currentTablet) {
    return tabletSchema == currentTablet && clientSchema.equals(otherClient);
  }

  /** Encodes the partition keys of rows as received. */
  public PartitionKeyEncoder partitionKeys(PartitionSchema partitionSchema) {
    return new PartitionKeyEncoder(partitionSchema, tabletSchema, messageIndexes);
  }

  /** Encodes the partition keys of rows of {@link #withDefaults}. */
  public PartitionKeyEncoder defaultedPartitionKeys(PartitionSchema partitionSchema) {
    int[] indexes = IntStream.range(0, tabletSchema.columnCount()).toArray();
    return new PartitionKeyEncoder(partitionSchema, tabletSchema, indexes);
  }

  /** The rows of a reader, with defaults in their unset columns. */
  public DefaultedCells withDefaults(RowOperationsReader rows) {
    return new DefaultedCells(tabletSchema, messageIndexes, rows);
  }
}
