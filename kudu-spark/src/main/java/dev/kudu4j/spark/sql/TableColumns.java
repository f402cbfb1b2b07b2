package dev.kudu4j.spark.sql;

import dev.kudu4j.spark.catalog.NameList;
import dev.kudu4j.spark.catalog.TableProperties;
import dev.kudu4j.spark.sql.ImpalaSqlParser.ColumnContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.ColumnsContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.CreateTableContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.ElementContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.IdentifierContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.KeyAttributeContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.PrimaryKeyContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.antlr.v4.runtime.ParserRuleContext;

/**
 * The key of a new table, to which its partitions refer.
 *
 * @param key the key columns in order, as they are spelled in the statement
 */
record TableColumns(List<String> key) {
  /**
   * Reads the columns and the key. What Spark does not know is erased from the text and added to
   * the properties.
   */
  static TableColumns of(
      CreateTableContext create, StatementText text, Map<String, String> properties) {
    if (create.query() != null && !create.element().isEmpty()) {
      throw Grammar.error(
          create.element(0),
          CreateTable.NAME
              + " AS SELECT: the query determines the columns; replace them by PRIMARY KEY"
              + " (columns)");
    }
    List<ColumnContext> columns = new ArrayList<>();
    PrimaryKeyContext clause = null;
    for (ElementContext element : create.element()) {
      if (element.column() != null) {
        columns.add(element.column());
      } else {
        clause = onlyOne(clause, element.primaryKey());
      }
    }
    List<String> key = inlineKey(columns, clause);
    columns.forEach(column -> ColumnAttributes.move(column, text, properties));
    if (create.primaryKey() != null) {
      clause = onlyOne(clause, create.primaryKey());
      if (!key.isEmpty()) {
        throw twoKeys(clause);
      }
      text.erase(clause);
      properties.put(TableProperties.PRIMARY_KEY, NameList.text(Names.of(clause.columns())));
    }
    return new TableColumns(clause == null ? key : Names.of(clause.columns()));
  }

  private static List<String> inlineKey(List<ColumnContext> columns, PrimaryKeyContext clause) {
    List<String> key = new ArrayList<>();
    for (ColumnContext column : columns) {
      for (var attribute : column.attribute()) {
        if (attribute instanceof KeyAttributeContext) {
          if (clause != null || !key.isEmpty()) {
            throw twoKeys(attribute);
          }
          key.add(Names.of(column.name));
        }
      }
    }
    return key;
  }

  private static PrimaryKeyContext onlyOne(PrimaryKeyContext before, PrimaryKeyContext clause) {
    if (before != null) {
      throw twoKeys(clause);
    }
    return clause;
  }

  private static SqlException twoKeys(ParserRuleContext second) {
    return Grammar.error(
        second,
        CreateTable.NAME
            + ": there are two primary keys; write one PRIMARY KEY (columns) after the columns");
  }

  /**
   * The columns of a dimension; all key columns if it names none.
   *
   * @param columns null if the dimension names none
   * @param clause the name of the clause in messages
   */
  List<String> of(ColumnsContext columns, ParserRuleContext dimension, String clause) {
    if (columns != null) {
      return columns.identifier().stream().map(column -> of(column, clause)).toList();
    }
    if (key.isEmpty()) {
      throw Grammar.error(
          dimension, clause + " has no columns, and the table no PRIMARY KEY; add one of them");
    }
    return key;
  }

  private String of(IdentifierContext column, String clause) {
    String name = Names.of(column);
    if (key.isEmpty()) {
      return name; // the key is a property, or missing, which the catalog reports
    }
    return key.stream()
        .filter(name::equalsIgnoreCase)
        .findFirst()
        .orElseThrow(
            () ->
                Grammar.error(
                    column,
                    clause
                        + " ("
                        + name
                        + "): "
                        + name
                        + " is not a key column; the key is "
                        + String.join(", ", key)));
  }
}
