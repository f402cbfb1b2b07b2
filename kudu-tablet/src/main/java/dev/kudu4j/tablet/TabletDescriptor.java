package dev.kudu4j.tablet;

import dev.kudu4j.common.schema.Schema;
import java.util.Map;

/**
 * The metadata of a tablet, stored in the superblock.
 *
 * @param tabletId 32 hex digits
 * @param tableId 32 hex digits
 * @param tableName may change with an alteration
 * @param schema columns with ids
 * @param schemaVersion increases with each alteration
 * @param attributes opaque bytes by name, owned by the layer above (partition, extra configuration)
 */
public record TabletDescriptor(
    String tabletId,
    String tableId,
    String tableName,
    Schema schema,
    int schemaVersion,
    Map<String, byte[]> attributes) {}
