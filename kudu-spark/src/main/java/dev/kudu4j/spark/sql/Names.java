package dev.kudu4j.spark.sql;

import dev.kudu4j.spark.sql.ImpalaSqlParser.ColumnsContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.IdentifierContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.TableNameContext;
import java.util.List;

/** Reads names. */
final class Names {
  private Names() {}

  static List<String> parts(TableNameContext name) {
    return name.identifier().stream().map(Names::of).toList();
  }

  static List<String> of(ColumnsContext columns) {
    return columns.identifier().stream().map(Names::of).toList();
  }

  static String of(IdentifierContext identifier) {
    return SqlText.unquotedName(identifier.getText());
  }
}
