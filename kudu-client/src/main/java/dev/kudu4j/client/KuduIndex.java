package dev.kudu4j.client;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.index.IndexText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A local secondary index of a table: each replica keeps a sorted copy of some columns beside its
 * rows, and scans with filters on these columns use it where that is faster. It changes no result.
 *
 * <p>Only servers of Kudu4j have indexes. To all clients, an index is a property of the table's
 * extra configuration, {@code kudu4j.index.NAME}, with {@link #toString} as its value; Apache
 * Kudu's masters reject that property.
 */
public final class KuduIndex {
  private final String name;
  private final IndexText text;

  private KuduIndex(String name, IndexText text) {
    this.name = Objects.requireNonNull(name, "name");
    this.text = text;
  }

  /**
   * An index without further columns.
   *
   * @param name unique among the indexes of the table
   * @param columns the indexed columns, the most significant first
   */
  public static KuduIndex local(String name, String... columns) {
    return new KuduIndex(name, new IndexText(false, List.of(columns), List.of(), false));
  }

  /**
   * An index in which no two rows have equal values; rows with a NULL are equal to no other. It
   * must contain all columns by which the table is partitioned. Columns have types that primary
   * keys can have.
   *
   * <p>Servers build it, then search the rows of the table for equal ones, and then refuse writes
   * of values that another row has: each is a row error ALREADY_PRESENT, and is ignored by the
   * IGNORE operations. {@link KuduTable#getIndexProgress} says when that is so; it fails if the
   * table has equal rows, and the index must then be dropped.
   *
   * @param name unique among the indexes of the table
   * @param columns the indexed columns, the most significant first
   */
  public static KuduIndex unique(String name, String... columns) {
    return new KuduIndex(name, new IndexText(true, List.of(columns), List.of(), false));
  }

  /** A copy that also contains the cells of these columns. */
  public KuduIndex including(String... columns) {
    return new KuduIndex(
        name, new IndexText(text.unique(), text.columns(), List.of(columns), false));
  }

  /** A copy that also contains the cells of all columns that the table has when it is created. */
  public KuduIndex includingOthers() {
    return new KuduIndex(name, new IndexText(text.unique(), text.columns(), List.of(), true));
  }

  public String getName() {
    return name;
  }

  /** Whether no two rows may have equal values. */
  public boolean isUnique() {
    return text.unique();
  }

  /** The indexed columns, the most significant first. */
  public List<String> getColumns() {
    return text.columns();
  }

  /** The further columns whose cells the index contains. */
  public List<String> getIncludedColumns() {
    return text.included();
  }

  /** The name of the property that is the index. */
  static String property(String index) {
    return IndexDefinition.PROPERTY_PREFIX + index;
  }

  String property() {
    return property(name);
  }

  /** The indexes among the properties of a table, by name. */
  static List<KuduIndex> of(Map<String, String> extraConfig) {
    List<KuduIndex> indexes = new ArrayList<>();
    extraConfig.keySet().stream()
        .filter(property -> property.startsWith(IndexDefinition.PROPERTY_PREFIX))
        .sorted()
        .forEach(
            property -> {
              String name = property.substring(IndexDefinition.PROPERTY_PREFIX.length());
              indexes.add(new KuduIndex(name, IndexText.parse(name, extraConfig.get(property))));
            });
    return indexes;
  }

  /** Such as {@code LOCAL (customer) INCLUDE (price)}. */
  @Override
  public String toString() {
    return text.toString();
  }
}
