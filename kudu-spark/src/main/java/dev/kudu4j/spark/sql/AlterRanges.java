package dev.kudu4j.spark.sql;

import dev.kudu4j.spark.catalog.TableProperties;
import dev.kudu4j.spark.sql.ImpalaSqlParser.AlterTableContext;
import java.util.List;

/** ALTER TABLE ADD or DROP RANGE PARTITION. It sets the property that adds or drops the range. */
record AlterRanges(String statement, List<String> table) implements Statement {
  @Override
  public Translation translate(ConstantEvaluator constants) {
    AlterTableContext alter =
        Grammar.parser(Grammar.tokens(statement), "ALTER TABLE").alterTableStatement().alterTable();
    StatementText text = new StatementText(statement);
    return new Translation.Text(
        "ALTER TABLE "
            + text.of(alter.tableName())
            + " SET TBLPROPERTIES ("
            + SqlText.literal(property(alter))
            + " = "
            + SqlText.literal(range(alter, new RangeText(text, constants)))
            + ")");
  }

  private static String range(AlterTableContext alter, RangeText text) {
    return alter.DROP() != null
        ? text.of(alter.range())
        : text.of(
            alter.hashedRange(),
            hashing -> hashing.columns() == null ? List.of() : Names.of(hashing.columns()));
  }

  private static String property(AlterTableContext alter) {
    if (alter.ADD() != null) {
      return alter.IF() == null
          ? TableProperties.ADD_RANGE_PARTITIONS
          : TableProperties.ADD_ABSENT_RANGE_PARTITIONS;
    }
    return alter.IF() == null
        ? TableProperties.DROP_RANGE_PARTITIONS
        : TableProperties.DROP_PRESENT_RANGE_PARTITIONS;
  }
}
