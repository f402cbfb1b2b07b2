package dev.kudu4j.tablet;

import dev.kudu4j.common.schema.Schema;
import java.util.Map;

/**
 * What a tablet is, apart from its rows. Kept in the superblock.
 *
 * @param tabletId 32 hex digits
 * @param tableId 32 hex digits
 * @param tableName may change with an alteration
 * @param schema columns with ids
 * @param schemaVersion rises with each alteration
 * @param attributes opaque bytes by name that the layer above keeps here (its partition, its extra
 *     configuration)
 */
public record TabletDescriptor(
    String tabletId,
    String tableId,
    String tableName,
    Schema schema,
    int schemaVersion,
    Map<String, byte[]> attributes) {}
