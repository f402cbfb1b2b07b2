package dev.kudu4j.spark.sql;

import dev.kudu4j.spark.catalog.TableProperties;
import dev.kudu4j.spark.sql.ImpalaSqlParser.CreateTableContext;
import dev.kudu4j.spark.sql.ImpalaSqlParser.PropertyContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/**
 * CREATE TABLE with Impala's attributes of columns and its PARTITION BY. These become properties,
 * and {@code PARTITIONED BY (bucket(...))}.
 *
 * <pre>
 *   CREATE TABLE k.t (a INT PRIMARY KEY ENCODING RLE) PARTITION BY HASH (a) PARTITIONS 2 STORED AS KUDU
 *   CREATE TABLE k.t (a INT PRIMARY KEY             )
 *     PARTITIONED BY (bucket(2, `a`)) TBLPROPERTIES ('column.a.encoding' = 'RLE')
 * </pre>
 */
record CreateTable(String statement, List<String> table) implements Statement {
  static final String NAME = "CREATE TABLE";

  /** Impala's name of a property, and the catalog's, which is not longer. */
  private static final Map<String, String> RENAMED =
      Map.of("kudu.num_tablet_replicas", TableProperties.NUM_REPLICAS);

  @Override
  public Translation translate(ConstantEvaluator constants) {
    CreateTableContext create =
        Grammar.parser(Grammar.tokens(statement), NAME).createTableStatement().createTable();
    StatementText text = new StatementText(statement);
    Map<String, String> properties = new LinkedHashMap<>();
    TableColumns columns = TableColumns.of(create, text, properties);
    Partitioning partitioning = Partitioning.of(create.partitionBy(), columns);
    partitioning.addProperties(columns, new RangeText(text, constants), properties);
    erase(create.partitionBy(), text);
    erase(create.storedAs(), text);
    addBuckets(create, partitioning, text);
    addProperties(create, properties, text);
    return create.query() == null
        ? new Translation.Text(text.withInsertions())
        : new Translation.CreateAsSelect(
            text.withoutInsertions(), text.withInsertionsBefore(create.AS().getSymbol()));
  }

  private static void erase(ParserRuleContext part, StatementText text) {
    if (part != null) {
      text.erase(part);
    }
  }

  private static void addBuckets(
      CreateTableContext create, Partitioning partitioning, StatementText text) {
    if (!partitioning.buckets().isEmpty()) {
      String buckets = String.join(", ", partitioning.buckets());
      text.insertAfter(create.partitionBy().getStop(), " PARTITIONED BY (" + buckets + ")");
    }
  }

  private static void addProperties(
      CreateTableContext create, Map<String, String> properties, StatementText text) {
    String list =
        properties.entrySet().stream()
            .map(p -> SqlText.literal(p.getKey()) + " = " + SqlText.literal(p.getValue()))
            .collect(Collectors.joining(", "));
    if (create.properties() != null) {
      create.properties().property().forEach(property -> rename(property, text));
      if (!list.isEmpty()) {
        text.insertAfter(create.properties().LPAREN().getSymbol(), list + ", ");
      }
    } else if (!list.isEmpty()) {
      text.insertAfter(endOfHead(create), " TBLPROPERTIES (" + list + ")");
    }
  }

  private static void rename(PropertyContext property, StatementText text) {
    String name = RENAMED.get(SqlText.unquotedLiteral(property.key.getText()));
    if (name != null) {
      text.replace(property.key, SqlText.literal(name));
    }
  }

  /** The last token before the query. */
  private static Token endOfHead(CreateTableContext create) {
    ParserRuleContext end = create.createTableStart();
    for (int i = 0; i < create.getChildCount(); i++) {
      if (create.getChild(i) instanceof ParserRuleContext part && part != create.query()) {
        end = part;
      }
    }
    Token last = end.getStop();
    return create.RPAREN() != null
            && create.RPAREN().getSymbol().getTokenIndex() > last.getTokenIndex()
        ? create.RPAREN().getSymbol()
        : last;
  }
}
