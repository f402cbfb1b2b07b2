package dev.kudu4j.spark.sql;

import dev.kudu4j.spark.catalog.NameList;
import dev.kudu4j.spark.partitions.PartitionsOf;
import dev.kudu4j.spark.sql.ImpalaSqlParser.ShowPartitionsStatementContext;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** SHOW [RANGE] PARTITIONS and SHOW HASH SCHEMA. They read a metadata table of the catalog. */
record ShowPartitions(String statement, List<String> table) implements Statement {
  @Override
  public Translation translate(ConstantEvaluator constants) {
    ShowPartitionsStatementContext show =
        Grammar.parser(Grammar.tokens(statement), "SHOW PARTITIONS").showPartitionsStatement();
    List<String> parts = new ArrayList<>(table);
    int last = parts.size() - 1;
    parts.set(last, parts.get(last) + suffix(show));
    return new Translation.Text(
        "SELECT * FROM " + parts.stream().map(NameList::quoted).collect(Collectors.joining(".")));
  }

  private static String suffix(ShowPartitionsStatementContext show) {
    if (show.HASH() != null) {
      return PartitionsOf.HASH_SCHEMA;
    }
    return show.RANGE() == null ? PartitionsOf.TABLETS : PartitionsOf.RANGES;
  }
}
