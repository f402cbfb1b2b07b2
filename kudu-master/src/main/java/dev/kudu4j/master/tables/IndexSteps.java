package dev.kudu4j.master.tables;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.index.IndexText;
import dev.kudu4j.common.index.Uniqueness;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.partition.RangeBounds;
import dev.kudu4j.common.partition.TablePartitions;
import dev.kudu4j.common.proto.common.SchemaPB;
import dev.kudu4j.common.proto.index.IndexPB;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.IndexWire;
import dev.kudu4j.common.wire.SchemaRules;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.master.proto.catalog.TableEntryPB;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The indexes of a table. Every client can read and change them as properties of the extra
 * configuration, {@code kudu4j.index.NAME}, whose values have the form of {@link IndexText}; an
 * empty value drops the index. The record has ids of columns instead of names, so the text follows
 * when a column is renamed.
 */
public final class IndexSteps {
  static final String PREFIX = IndexDefinition.PROPERTY_PREFIX;

  private IndexSteps() {}

  /** Whether the property of an extra configuration is an index. */
  static boolean isIndex(String property) {
    return property.startsWith(PREFIX);
  }

  /**
   * Applies the changes of an extra configuration to the record, whose schema has been changed
   * before.
   *
   * @param rebuilt names of indexes to build again
   * @param earlier the schema before the alteration
   * @param partitions those of the table after the alteration
   * @throws KuduException INVALID_ARGUMENT if an index is invalid, or uses a column that was
   *     dropped, or is unique without a column by which the table is partitioned; NOT_FOUND for an
   *     unknown index; the message names the index
   */
  static void apply(
      TableEntryPB.Builder entry,
      Map<String, String> changes,
      Collection<String> rebuilt,
      SchemaPB earlier,
      TablePartitions partitions) {
    Schema before = SchemaWire.fromWire(earlier);
    Schema schema = SchemaWire.fromWire(entry.getSchema());
    List<IndexPB> indexes = new ArrayList<>(entry.getIndexesList());
    new TreeMap<>(changes)
        .forEach(
            (property, text) -> {
              if (isIndex(property)) {
                apply(entry, indexes, property.substring(PREFIX.length()), text, schema);
              }
            });
    rebuilt.stream().distinct().sorted().forEach(name -> rebuild(entry, indexes, name));
    if (indexes.size() > IndexDefinition.MAX_INDEXES) {
      throw KuduException.invalidArgument(
          "A table can have at most %d indexes, not %d",
          IndexDefinition.MAX_INDEXES, indexes.size());
    }
    indexes.forEach(index -> checkColumns(IndexWire.fromWire(index), before, schema));
    checkPartitions(indexes, partitions, schema);
    entry.clearIndexes().addAllIndexes(indexes);
  }

  private static void apply(
      TableEntryPB.Builder entry, List<IndexPB> indexes, String name, String text, Schema schema) {
    SchemaRules.checkIdentifier("index name", ByteString.copyFromUtf8(name));
    int existing = position(indexes, name);
    if (text.isEmpty()) {
      if (existing < 0) {
        throw unknown(name);
      }
      indexes.remove(existing);
      return;
    }
    IndexDefinition index =
        IndexText.parse(name, text).define(entry.getNextIndexId(), name, schema);
    if (existing >= 0) {
      IndexDefinition before = IndexWire.fromWire(indexes.get(existing));
      if (before.isLike(index)) {
        if (before.uniqueness() == Uniqueness.FAILED) {
          throw KuduException.alreadyPresent(
              "The table has the index %s, but equal rows, so that it is not unique; correct them,"
                  + " drop the index, and create it again",
              name);
        }
        return;
      }
      throw KuduException.alreadyPresent(
          "The table has an index %s already, %s; drop it first",
          name, IndexText.of(before, schema));
    }
    indexes.add(IndexWire.toWire(index));
    entry.setNextIndexId(index.id() + 1);
  }

  /**
   * Gives the index a new id. Files of the earlier id are files of no index, so each replica
   * replaces them.
   */
  private static void rebuild(TableEntryPB.Builder entry, List<IndexPB> indexes, String name) {
    int position = position(indexes, name);
    if (position < 0) {
      throw unknown(name);
    }
    if (IndexWire.fromWire(indexes.get(position)).uniqueness().isWanted()) {
      throw KuduException.invalidArgument(
          "Index %s is unique and would not be enforced while it is rebuilt; drop it and create it"
              + " again",
          name);
    }
    int id = entry.getNextIndexId();
    indexes.set(position, indexes.get(position).toBuilder().setId(id).build());
    entry.setNextIndexId(id + 1);
  }

  private static KuduException unknown(String name) {
    return KuduException.notFound("The table has no index %s", name);
  }

  private static int position(List<IndexPB> indexes, String name) {
    for (int i = 0; i < indexes.size(); i++) {
      if (indexes.get(i).getName().equals(name)) {
        return i;
      }
    }
    return -1;
  }

  /**
   * Checks that unique indexes contain all columns by which the table is partitioned.
   *
   * @throws KuduException INVALID_ARGUMENT; the message names the index
   */
  private static void checkPartitions(
      List<IndexPB> indexes, TablePartitions partitions, Schema schema) {
    boolean ranged = partitions.partitions().stream().anyMatch(one -> !isUnbounded(one));
    indexes.forEach(
        index -> IndexWire.fromWire(index).checkPartitions(partitions.schema(), ranged, schema));
  }

  private static boolean isUnbounded(Partition partition) {
    RangeBounds bounds = partition.rangeBounds();
    return bounds.lower().length == 0 && bounds.upper().length == 0;
  }

  /**
   * A new table has no rows, so its unique indexes are enforced from the beginning; those whose
   * values are claimed, as soon as they have tablets.
   */
  static void enforceAll(TableEntryPB.Builder entry) {
    for (IndexPB.Builder index : entry.getIndexesBuilderList()) {
      IndexDefinition definition = IndexWire.fromWire(index.build());
      if (definition.uniqueness().isWanted() && !definition.isClaimed()) {
        index.setUniqueness(Uniqueness.CHECKED.number());
      }
    }
  }

  /** Rejects the alteration if it has dropped a column of the index. */
  private static void checkColumns(IndexDefinition index, Schema before, Schema schema) {
    for (int id : index.allColumns()) {
      if (schema.indexOfId(id) < 0) {
        throw KuduException.invalidArgument(
            "Column %s is part of the index %s and cannot be dropped; drop the index first: set the"
                + " table's extra configuration %s%s to an empty value",
            before.column(before.indexOfId(id)).name(), index.name(), PREFIX, index.name());
      }
    }
  }

  /**
   * The indexes as properties of the extra configuration.
   *
   * @param schema that the client gets; indexes of columns that it does not have yet are left out
   */
  public static Map<String, String> properties(TableEntryPB entry, Schema schema) {
    Map<String, String> properties = new TreeMap<>();
    for (IndexPB pb : entry.getIndexesList()) {
      IndexDefinition index = IndexWire.fromWire(pb);
      if (index.allColumns().stream().allMatch(id -> schema.indexOfId(id) >= 0)) {
        properties.put(PREFIX + index.name(), IndexText.of(index, schema).toString());
      }
    }
    return properties;
  }
}
