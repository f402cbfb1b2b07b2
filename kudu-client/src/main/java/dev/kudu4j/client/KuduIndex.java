package dev.kudu4j.client;

import dev.kudu4j.common.index.IndexBuckets;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.index.IndexKind;
import dev.kudu4j.common.index.IndexText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A secondary index of a table: a sorted copy of some columns, which scans with filters on these
 * columns use where that is faster. It changes no result. In a local index, each replica keeps its
 * copy beside its rows. A global index has tablets of its own, so that few tablets have to be asked
 * for few rows; they follow the changes of the table.
 *
 * <p>Only servers of Kudu4j have indexes. To all clients, an index is a property of the table's
 * extra configuration, {@code kudu4j.index.NAME}, with {@link #toString} as its value; Apache
 * Kudu's masters reject that property.
 */
public final class KuduIndex {
  /** The number of tablets of a global index, unless another one is set. */
  public static final int DEFAULT_BUCKETS = IndexBuckets.DEFAULT_COUNT;

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
    return new KuduIndex(name, IndexText.local(false, List.of(columns), List.of(), false));
  }

  /**
   * A global index without further columns. It has the table's primary key, and rows with NULL in
   * an indexed column are not in it. Columns have types that primary keys can have.
   *
   * @param name unique among the indexes of the table; the rows of the index can be read as the
   *     table {@code TABLE@NAME}
   * @param columns the indexed columns, the most significant first
   */
  public static KuduIndex global(String name, String... columns) {
    return new KuduIndex(name, IndexText.global(List.of(columns), List.of(), false));
  }

  /** A global index that contains all columns that the table has when it is created. */
  public static KuduIndex clustering(String name, String... columns) {
    return new KuduIndex(name, IndexText.global(List.of(columns), List.of(), true));
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
    return new KuduIndex(name, IndexText.local(true, List.of(columns), List.of(), false));
  }

  /**
   * Like {@link #unique}, but of any columns: no two rows of the whole table may have equal values.
   * Servers claim a value for its row before they write it, in tablets of the index, so each write
   * takes one round of Raft more. No scan uses the index. Tables with an auto-incrementing column
   * cannot have one.
   *
   * @param name unique among the indexes of the table; its claims can be read as the table {@code
   *     TABLE@NAME}
   * @param columns the indexed columns, the most significant first
   */
  public static KuduIndex uniqueGlobal(String name, String... columns) {
    return new KuduIndex(name, IndexText.claimed(List.of(columns), DEFAULT_BUCKETS));
  }

  /** A copy that also contains the cells of these columns. */
  public KuduIndex including(String... columns) {
    return including(List.of(columns), false);
  }

  /** A copy that also contains the cells of all columns that the table has when it is created. */
  public KuduIndex includingOthers() {
    return including(List.of(), true);
  }

  private KuduIndex including(List<String> columns, boolean others) {
    return new KuduIndex(
        name,
        new IndexText(
            text.kind(),
            text.unique(),
            text.columns(),
            columns,
            others,
            text.hashed(),
            text.buckets()));
  }

  /**
   * A copy of a global index whose rows are distributed by a hash of these columns, which are
   * indexed or in the table's primary key. By default they are those by which the table is hashed,
   * or else the primary key, and there are four tablets. A {@linkplain #uniqueGlobal unique} one is
   * distributed by its values, so it has no such columns.
   *
   * @param buckets the number of tablets
   * @throws IllegalStateException for a local index
   */
  public KuduIndex hashedBy(int buckets, String... columns) {
    if (text.kind() == IndexKind.LOCAL) {
      throw new IllegalStateException("Index " + name + " is local: it has no tablets of its own");
    }
    return new KuduIndex(name, text.withBuckets(List.of(columns), buckets));
  }

  public String getName() {
    return name;
  }

  /** Whether the index has rows in tablets of its own, which scans can read. */
  public boolean isGlobal() {
    return text.kind() == IndexKind.GLOBAL;
  }

  /** Whether this is a {@linkplain #uniqueGlobal unique index of any columns}. */
  public boolean isUniqueGlobal() {
    return text.kind() == IndexKind.CLAIMED;
  }

  /** Whether it contains all columns that are not indexed. */
  public boolean includesOthers() {
    return text.includesOthers();
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

  /**
   * The columns by whose hash the rows of a global index are distributed. Empty for those of the
   * table's primary key, and for a local index.
   */
  public List<String> getHashColumns() {
    return text.hashed();
  }

  /** The number of tablets of the index; 0 for a local one. */
  public int getBuckets() {
    return text.buckets();
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
