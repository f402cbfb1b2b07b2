package dev.kudu4j.spark.catalog;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.connector.catalog.Identifier;

/**
 * Maps names between Spark and Kudu: {@code k.db.t} in Spark is {@code db.t} in Kudu, where names
 * are flat; {@code k.t}, without a namespace, is {@code t}. Impala's {@code impala::db.t} is also
 * found as {@code k.db.t}, unless {@code db.t} exists. A quoted name, {@code k.`impala::db.t`}, is
 * used unchanged.
 */
public final class TableName {
  private static final String IMPALA = "impala::";

  private TableName() {}

  /** The name of a new table in Kudu. */
  public static String kuduName(Identifier identifier) {
    return join(identifier.namespace(), identifier.name());
  }

  /** The names in Kudu that a table may have, in order of precedence. */
  public static List<String> candidates(Identifier identifier) {
    String name = kuduName(identifier);
    return identifier.namespace().length == 0 ? List.of(name) : List.of(name, IMPALA + name);
  }

  /** The name of a table in Spark. */
  public static Identifier identifier(String kuduName) {
    String name = kuduName.startsWith(IMPALA) ? kuduName.substring(IMPALA.length()) : kuduName;
    List<String> parts = new ArrayList<>(List.of(name.split("\\.", -1)));
    if (parts.size() < 2 || parts.stream().anyMatch(String::isEmpty)) {
      return Identifier.of(new String[0], kuduName);
    }
    String last = parts.remove(parts.size() - 1);
    return Identifier.of(parts.toArray(new String[0]), last);
  }

  private static String join(String[] namespace, String name) {
    return namespace.length == 0 ? name : String.join(".", namespace) + "." + name;
  }
}
