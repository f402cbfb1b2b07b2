package dev.kudu4j.tools.index;

import dev.kudu4j.client.KuduIndex;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.common.status.KuduException;
import java.util.List;
import java.util.Optional;

/** The indexes of a table that a verb is about: all, or a named one. */
final class TableIndexes {
  private TableIndexes() {}

  /** The kind of an index, as its definition begins. */
  static String kind(KuduIndex index) {
    if (index.isGlobal()) {
      return index.includesOthers() ? "CLUSTERING" : "GLOBAL";
    }
    if (index.isUniqueGlobal()) {
      return "UNIQUE GLOBAL";
    }
    return index.isUnique() ? "UNIQUE" : "LOCAL";
  }

  /**
   * @param name empty for all indexes
   * @throws KuduException NOT_FOUND if the table has no index of this name
   */
  static List<KuduIndex> of(KuduTable table, Optional<String> name) {
    List<KuduIndex> all = table.getIndexes();
    if (name.isEmpty()) {
      return all;
    }
    List<KuduIndex> named =
        all.stream().filter(index -> index.getName().equals(name.get())).toList();
    if (named.isEmpty()) {
      throw KuduException.notFound(
          "Table %s has no index %s; kudu index list %s lists its indexes",
          table.getName(), name.get(), table.getName());
    }
    return named;
  }
}
